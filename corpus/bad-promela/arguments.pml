/* expect: M0011@9:9 M0011@10:9 M0011@12:9 M0027@13:9 M0011@14:5 M0011@15:5 M0007@16:5 M0007@17:5 */
byte x;
typedef S { byte a; byte b };
proctype P(byte a; byte b) { skip }
proctype R(S s) { skip }
inline f(a, b) { a = b }
init {
    S s;
    run P(1);
    run P(1, 2, 3);
    run R(s);
    run R(1);
    run Nobody();
    f(x);
    f(x, 1, 2);
    g(x);
    P(1, 2)
}
