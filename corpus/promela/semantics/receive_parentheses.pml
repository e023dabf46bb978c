/* spin-counts: 9 0 9; errors 0 */
/* The last fields of a receive may be in parentheses, however many of them. */
chan q = [1] of { byte, byte, byte };
byte a, b, c;
active proctype P() {
    q!1,2,3;
    q?<a,(b, c)>;
    assert(a == 1 && b == 2 && c == 3 && q?[1,(2, eval(c))] && !q?[1,(3, _)]);
    q?((b, (c, a)));
    assert(a == 3 && b == 1 && c == 2);
    q!4(5, 6); q?a,b,(_)
}
