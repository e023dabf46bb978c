/* spin-counts: 11 0 11; errors 0 */
/* A bit that is the whole message keeps eight bits; beside other fields it keeps one. */
chan alone = [1] of { bool };
chan hand = [0] of { bit };
chan pair = [1] of { bit, byte };
int x;
active proctype P() {
    alone!3;
    alone?x;
    assert(x == 3);
    pair!3, 1;
    pair?x, _;
    assert(x == 1);
    hand!6
}
active proctype Q() {
    int y;
    hand?y;
    assert(y == 6)
}
