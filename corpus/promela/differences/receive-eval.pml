/* SPIN 18/10/28, 1 errors (deadlock); argos 21/15/36, 1 errors (deadlock) */
/* SPIN takes a receive back with what `eval` is worth afterwards: the message in `q`
   gets another first field. */
byte x;
chan q = [2] of { byte, byte };
active proctype P() {
    do
    :: q!0, 1
    :: q?eval(x), x
    od
}
active proctype Q() {
    x = 2;
    x = 0
}
