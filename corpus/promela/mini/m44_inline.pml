/* spin-counts: 10 0 10; errors 0 */
byte x, r;
inline add(a, b) { byte t; t = a + b; x = t }
inline sq(n) { return n * n }
active proctype P() { add(2, 3); r = sq(x); assert(r == 25); add(r, 1) }
