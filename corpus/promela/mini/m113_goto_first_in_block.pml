/* spin-counts: 5 0 5; errors 0 */
/* goto as first statement of a block is a step */
byte x; active proctype P() { x = 1; { goto L; x = 9 }; x = 3; L: x = 2 }
