/* runs: -a | -l */
byte x;
active proctype P() {
    x = 1;
accept_once:
    x = 2;
    do
    :: x = 3
    :: x == 3 ->
progress:
        x = 2
    od
}
