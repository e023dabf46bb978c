/* a never claim that is reached behind merged, atomic and deterministic steps */
byte x;
bool ready;
chan q = [1] of { byte, bool };
chan r = [0] of { short };
active [2] proctype A() {
    byte i = 2;
    short k;
    i = i + 1;
    i = i * 2;
    x = x + i;
    atomic { i = 0; k = -3; x++; q!x,true }
    d_step { k = 1; x = x + 1; ready = true }
end:
    r!k
}
active proctype B() {
    byte z;
    bool b;
    short s[2];
    do
    :: q?z,b -> printf("got %d\n", z); r?s[0]; s[1] = s[0]
    :: z > 10 -> break
    od
}
never {
    do
    :: x < 12
    :: x >= 12 -> break
    od
}
