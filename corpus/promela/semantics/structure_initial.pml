/* spin-counts: 5 0 5; errors 0 */
/* SPIN reads the initial value of a structure and forgets it. */
typedef T { byte a = 2; byte b };
typedef U { T t = 4; T s[2] = 3; byte q };
byte n = 3;
T t = n + 1;
T list[2] = { 1, 2 };
U u;
active proctype A() {
    T v = 4;
    assert(t.a == 2 && t.b == 0 && list[1].a == 2);
    assert(u.t.a == 2 && u.s[1].a == 2 && v.a == 2 && v.b == 0);
    u.q = 1
}
