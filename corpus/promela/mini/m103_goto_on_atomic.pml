/* spin-counts: 20 7 27; errors 0 */
/* goto from atomic to a label ON an atomic: atomicity is interrupted */
byte x;
active proctype P() { atomic { x = 1; x = 2; goto M }; x = 9; M: atomic { x = 3; x = 4; x = 5 }; x = 6 }
active proctype Q() { x = 50 }
