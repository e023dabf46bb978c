/* spin-counts: 6 0 6; errors 0 */
typedef In { byte v[2]; bit f }
typedef Out { In n[2]; short k = 5 }
Out o; byte z[3] = { 4, 5, 6 };
active proctype P() { o.n[1].v[0] = 7; o.n[0].f = 1; o.k = o.k + z[2]; assert(o.k == 11 && o.n[1].v[0] == 7) }
