/* spin-counts: 6 0 6; errors 0 */
/* More conversions than values: nothing is printed for the others. */
byte x = 4;
active proctype A() { printf("a %d b %d c %d\n", x); x = 2; printf("%d %e\n"); printf("%d\n", x, x) }
