/* runs: -l | -l -f | -a */
byte turn;
active [2] proctype P() {
    bit idle;
    do
    :: turn == _pid ->
progress:
        turn = 1 - _pid
    :: idle = 1 - idle
    od
}
