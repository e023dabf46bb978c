/* spin-counts: 34 0 34; errors 0 */
bit b; bool o; byte y; short s; int i; unsigned u : 3; pid p; mtype = { red, green }; mtype m;
active proctype P() {
  b = 2; assert(b == 0); b = 3; assert(b == 1); o = 2; assert(o == 0);
  y = 255; y++; assert(y == 0); y--; assert(y == 255); y = 300; assert(y == 44); y = -1; assert(y == 255);
  s = 32767; s++; assert(s == -32768);
  i = 2147483647; u = 15; assert(u == 7); u = u + 1; assert(u == 0);
  p = 256; assert(p == 0); m = green; assert(m == 1); m = 300; assert(m == 44);
  i = -7; assert(i / 2 == -3 && i % 2 == -1); assert((1 << 3) == 8 && (i >> 1) == -4)
}
