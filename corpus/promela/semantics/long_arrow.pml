/* spin-counts: 12 0 12; errors 0 */
/* `-->` is `->`: nothing is counted down. */
byte x;
active proctype A() { do :: x < 3 --> x++ :: else --> break od; x-->1; assert(x == 3) }
