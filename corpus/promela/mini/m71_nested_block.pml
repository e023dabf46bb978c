/* spin-counts: 7 0 7; errors 0 */
/* { } blocks and labels on blocks */
byte x;
active proctype P() { { x = 1; { x = 2 } }; L: { x = 3 }; if :: x == 3 -> goto L1 :: else fi; L1: skip }
