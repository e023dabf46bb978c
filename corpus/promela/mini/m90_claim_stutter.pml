/* spin-counts: 4 3 7; errors 0 */
/* system halts: the claim goes on alone */
byte x;
active proctype P() { x = 1 }
never { do :: x == 0 :: x == 1 -> break od; do :: skip :: x == 1 -> break od; accept: do :: x == 1 od }
