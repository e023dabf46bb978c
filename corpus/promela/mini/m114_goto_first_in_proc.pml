/* spin-counts: 3 0 3; errors 0 */
/* goto as first statement of the process is not a step */
byte x; active proctype P() { goto L; x = 9; L: x = 1 }
