/* runs: -a | -a -f */
byte x;
active proctype P() {
    do
    :: x = (x + 1) % 3
    od
}
never {
accept:
    do
    :: x < 2
    od
}
