/* spin-counts: 6 1 7; errors 0 */
/* d_step guard may block; nondeterminism inside takes the first open option */
byte x;
active proctype P() { d_step { x == 1 -> if :: x = 5 :: x = 6 fi; x++ } }
active proctype Q() { x = 1 }
