/* spin-counts: 7 2 9; errors 0 */
/* atomic guard: whole atomic as an option */
byte x;
active [2] proctype P() { if :: atomic { x == 0 -> x = 1; x = 2 } :: atomic { x == 2 -> x = 3; x = 4 } :: else -> skip fi }
