/* spin-counts: 6 0 6; errors 0 */
/* an end that can be taken is a move */
byte x;
active proctype P() { timeout -> x = 1 }
active proctype Q() { x = 2 }
