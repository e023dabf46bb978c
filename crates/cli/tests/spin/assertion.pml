/* symbols, structures, arrays, a channel as a parameter, all kinds of steps */
mtype = { red, green };
mtype colour = red;
byte x, y[3];
typedef Pair { byte a; short b[2] };
Pair t;
chan q = [2] of { mtype, byte };
chan r = [0] of { byte };
proctype B(byte n; chan c) {
    byte own = 2;
    c!n;
    own = own + n;
    printf("B: %d %e\n", own, colour)
}
active proctype A() {
    byte i;
    mtype m;
    x = 1;
    q!red,x;
    if
    :: x == 1 -> skip; skip; skip; x++
    :: x > 2 -> y[x] = 2
    :: else -> t.b[1] = 3
    fi;
    run B(3, r);
    r?i;
    q?m,_;
    q!green(i+1);
    q?eval(green),i;
    atomic { i = 3; x = i; y[2] = 7 }
    d_step { i = 4; x = i }
    colour = green;
    do
    :: i > 2 -> i--
    :: i <= 2 -> break
    od;
    { x = (i > 2 -> 3 : 4); }
    for (i : 0 .. 1) { y[i] = x + i }
    assert(x == 5 && y[0] || y[1] == 3)
}
