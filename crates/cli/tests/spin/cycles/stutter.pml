/* runs: -a | -l */
byte x;
active proctype P() {
    x = 1;
accept:
    x == 5
}
