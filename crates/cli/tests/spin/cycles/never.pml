/* runs: -a | -a -f */
byte x;
chan q = [1] of { byte };
proctype Worker(byte n) {
    atomic { q!n; x = x + n };
    d_step { x = x + 1; x = x - 1 }
}
init {
    byte got;
    run Worker(1);
    q?got;
    do
    :: x = (x + 1) % 4; x = (x + 3) % 4
    od
}
never {
T0:
    do
    :: true
    :: x == 1 -> goto accept_one
    od;
accept_one:
    do
    :: x == 1 -> goto T1
    od;
T1:
    do
    :: x != 7
    :: x == 1 -> goto accept_one
    od
}
