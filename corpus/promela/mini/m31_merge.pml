/* spin-counts: 73 56 129; errors 0 */
/* local-only statements: candidates for merging */
byte g;
active [2] proctype A() { byte i, j; i = 1; j = 2; i = i + j; g = i; i = 0; j = 0; i = 7 }
