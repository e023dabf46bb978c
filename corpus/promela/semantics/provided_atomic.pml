/* spin-counts: 28 7 35; errors 0 */
/* provided is asked before every step, inside atomic and before the end too */
byte x, y;
active proctype P() provided (x < 2) { atomic { y = 1; x = 2; y = 2; y = 3 }; y = 4 }
active proctype Q() { x == 2 -> x = 0; y = 7; x = 3; x = 1 }
