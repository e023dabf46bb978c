/* spin-counts: 14 3 17; errors 0 */
/* an if with all guards false blocks */
byte x;
active proctype P() { if :: x == 1 -> x = 2 :: x == 2 -> x = 3 fi }
active proctype Q() { x = 1; x = 1 }
