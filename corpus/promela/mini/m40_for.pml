/* spin-counts: 25 0 25; errors 0 */
byte a[3] = 2; byte s, i;
active proctype P() { for (i : 1 .. 3) { s = s + i }; for (i in a) { s = s + a[i] }; assert(s == 12) }
