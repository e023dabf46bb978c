/* runs: -a | -a -f | -l | -l -f */
byte x;
chan q = [0] of { byte };
active proctype Sender() {
    byte n;
    do
    :: q!n -> n = 1 - n
    od
}
active proctype Receiver() {
    byte y;
    do
    :: q?y ->
        if
        :: y == 1 ->
accept:     x = 1
        :: else ->
progress:   x = 0
        fi
    od
}
