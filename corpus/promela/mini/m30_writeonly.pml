/* spin-counts: 1280 1 1281; errors 0 */
/* w is written, never read: -o2 keeps it in the state */
byte w, x; hidden byte h;
active proctype A() { do :: x < 2 -> w++; h++; x++ :: x == 2 -> x = 0 od }
