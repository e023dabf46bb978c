/* processes created and ended, messages, and a wait that does not end */
byte x;
chan q = [1] of { byte };
active [2] proctype A() {
    byte i = 2;
    i = i + 1;
    i = i * 2;
    x = x + i;
    q!x;
    i = 1;
    i = 2
}
init {
    byte z;
    q?z -> printf("got %d\n", z);
    run D(z);
    q?z;
    q?z
}
proctype D(byte n) {
    n = n + 1;
    n = n + 2;
    x = n
}
