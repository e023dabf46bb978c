/* for, select, late declarations, inlines with labels, structures, claims */
typedef M { byte a; byte b[2] };
typedef N { M m[2]; short k = 5 };
mtype = { red, green };
mtype:fruit = { apple };
chan q = [3] of { M }; chan r[2] = [1] of { mtype, byte }; chan z = [0] of { byte };
byte x, i; N n; byte arr[3] = { 1, 2, 3 };
inline twice(p, v) { p = v; L: p = p + v; if :: p < 3 -> goto L :: else fi }
inline give(v) { return v + 1 }
active proctype fors() {
    M m;
    for (i : 1 .. 3) { x = x + i; if :: x > 3 -> break :: else fi };
    for (i in arr) { x = arr[i] };
    for (m in q) { x = m.a };
L:  for (i : x .. 5) { byte inner; inner = x };
    select (i : 1 .. 3);
K:  select (i : x .. 5);
    if :: select (i : 1 .. 2) :: for (i : 0 .. 1) { skip } :: select (i : x .. 9) fi;
    if :: goto L :: goto K fi
}
active proctype decls() {
    byte a = 3; mtype c = red; mtype:fruit f = apple;
    x = 1;
    byte b; byte d = a; byte e[2]; M s;
    { byte y; byte w = 2; x = y + w };
    { byte y; x = y };
    twice(x, 2);
    twice(a, x + 1);
    x = give(4);
    n.m[1].b[0] = 7; n.m[x].a = n.k;
    q!n.m[0]; q?n.m[1]; q?n.m[x].a, 2, _;
    r[0]!red(3); r[1]?red, x; r[x]?eval(c), a; r[0]??red, _; r[0]?<c, x>; r[1]!!green, 1;
    (r[0]?[red, 2] && nfull(r[1])); (x > 1 -> x : a) == 2; assert(len(q) > 0); printm(c);
    x = (run child(x, 2)); run child(1, a); printf("%d %e\n", x, c)
}
proctype child(byte a; byte b) { x = a + b; end_here: accept_there: z!1; progress: z?x }
never {
    do :: x == 1 -> break :: skip; skip; skip; x == 2 :: fors@L -> goto accept_x :: else od;
accept_x: do :: !x od
}
active proctype prints() {
    for (i : 1 .. 3) { printf("a"); skip; skip };
    do :: printf("a"); skip; skip; break :: x = 1; skip; printf("b"); skip od
}
