/* spin-counts: 31 18 49; errors 0 */
byte x;
active [2] proctype A(byte n) { x = n + _pid; n = 300; x = n }
