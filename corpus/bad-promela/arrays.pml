/* expect: M0024@3:25 M0024@3:34 M0016@4:17 M0016@7:9 M0016@8:5 M0016@9:5 M0016@10:11 M0026@11:7 M0026@12:9 M0016@13:7 M0026@14:9 M0026@15:14 M0024@16:12 */
typedef S { byte a; byte v[2] };
byte one, many[3], none[0], long[70000];
byte scalar = { 1, 2 };
S s, t;
active proctype P() {
    one[1] = 2;
    many = 3;
    s = 4;
    one = s;
    s.b = 1;
    s.a.x = 2;
    s.v = 3;
    one.a = 1;
    many[one.x] = 1;
    byte w[one]
}
