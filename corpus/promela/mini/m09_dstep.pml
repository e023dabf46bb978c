/* spin-counts: 19 6 25; errors 0 */
byte x, y;
active [2] proctype P() { d_step { x++; y = x; if :: y > 1 -> y = 0 :: else -> y = 9 fi }; x-- }
