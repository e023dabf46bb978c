/* SPIN 21/12/33, 36 errors (assertion, index); argos 21/12/33, 9 errors (index) */
/* SPIN reports the bad index and then writes behind the array, here over `b`. */
byte a[2], b;
active [2] proctype P() {
    byte i = 1;
    i++;
    a[i] = 1;
    assert(b == 0)
}
