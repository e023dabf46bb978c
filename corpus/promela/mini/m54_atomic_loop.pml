/* spin-counts: 7 2 9; errors 0 */
/* loop inside atomic; inner states are never matched, only bounded by the data */
byte x;
active [2] proctype P() { atomic { do :: x < 5 -> x++ :: x >= 5 -> break od; x = 0 } }
