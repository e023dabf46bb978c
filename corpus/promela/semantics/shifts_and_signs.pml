/* spin-counts: 14 0 14; errors 0 */
int a = -7; short s; unsigned u : 5; byte b; bit t;
active proctype P() { a = a / 2; a = a % 2; s = 40000; u = 35; b = -1; t = 6; a = -8 >> 1; a = 1 << 31; a = a - 1; a = (s < 0 -> b : u); a = ~b; b = a }
