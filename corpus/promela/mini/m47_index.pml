/* spin-counts: 7 0 7; errors 3 */
byte a[2], i;
active proctype P() { i = 1; a[i] = 1; i = 2; a[i] = 5; i = 0 }
