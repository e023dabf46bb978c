/* spin-counts: 15 4 19; errors 0 */
/* goto from atomic to a label inside another atomic keeps atomicity */
byte x;
active proctype P() { atomic { x = 1; x = 2; goto M }; x = 9; atomic { x = 3; M: x = 4; x = 5 }; x = 6 }
active proctype Q() { x = 50 }
