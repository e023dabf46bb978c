/* spin-counts: 29 16 45; errors 0 */
byte x;
active [2] proctype A() { do :: x == 0 -> x = 1; x = 0; break :: else -> skip od }
