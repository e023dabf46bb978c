/* runs: -a */
byte met;
chan q = [0] of { byte };
active proctype A() {
    do
    :: q!1 -> met = 1 - met
    od
}
active proctype B() {
    byte y;
    do
    :: q?y
    od
}
never {
accept:
    do
    :: met == 0
    :: met == 1
    od
}
