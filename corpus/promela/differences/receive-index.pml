/* SPIN 9/4/13, 0 errors; argos 12/5/17, 0 errors */
/* SPIN takes a receive back element by element with the indices of afterwards: the old
   value of `a[x]` goes to another element. */
byte x = 1;
byte a[3];
chan q = [1] of { byte, byte };
active proctype P() {
    do
    :: q!2, 1
    :: q!0, 0
    :: q?x, a[x]
    od
}
