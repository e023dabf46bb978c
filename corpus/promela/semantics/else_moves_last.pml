/* spin-counts: 22 8 30; errors 0 */
/* an else written first is still asked last */
byte x;
active proctype P() { if :: else -> x = 1 :: x == 0 -> x = 2 fi; d_step { if :: else -> x = 3 :: x >= 0 -> x = 4 fi } }
active proctype Q() { x = 5 }
