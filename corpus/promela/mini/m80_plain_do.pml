/* spin-counts: 2092 2090 4182; errors 0 */
/* same as m79 without the block: fewer control points */
byte x;
active [2] proctype P() { do :: x < 3 -> x++ :: x > 0 -> x-- :: x == 3 -> break od }
