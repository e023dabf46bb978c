/* spin-counts: 85 44 129; errors 0 */
byte x, y;
active proctype P() { do :: x < 2 -> x++ :: x == 2 -> x = 0; y = 1 od unless { if :: y == 1 -> y = 2 :: y == 1 -> y = 3 fi } }
active proctype Q() { x = 1; y = 0 }
