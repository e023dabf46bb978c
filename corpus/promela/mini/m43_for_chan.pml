/* spin-counts: 20 0 20; errors 0 */
typedef M { byte a; byte b };
chan q = [3] of { M }; byte s;
active proctype P() { M m; m.a = 1; m.b = 2; q!m; m.a = 3; q!m; for (m in q) { s = s + m.a }; assert(s == 4 && len(q) == 2) }
