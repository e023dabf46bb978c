/* spin-counts: 25 11 36; errors 0 */
/* unless inside an option: escapes only at the locations of its main part */
byte x, y;
active proctype A() { do :: x == 0 -> y = 1 unless x == 1; y = 2 :: x == 1 -> break od }
active proctype B() { x = 1 }
