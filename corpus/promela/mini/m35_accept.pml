/* spin-counts: 4 1 5; errors 0 */
byte x;
active proctype P() { do :: x = 1; accept: x = 0 :: x == 0 -> break od }
