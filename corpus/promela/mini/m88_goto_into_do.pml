/* spin-counts: 7 0 7; errors 0 */
byte x;
active proctype P() { goto mid; do :: x < 2 -> x = x + 1; mid: x = x + 1 :: else -> break od }
