/* SPIN 7/0/7, 3 errors (assertion); argos 7/0/7, 1 errors (assertion) */
/* SPIN counts the failure on each of the three ways through the sequence, argos the
   step that fails. */
byte x;
active proctype P() {
    atomic {
        x = 0;
        do
        :: break
        :: x < 2 -> x++
        od;
        assert(x == 3)
    }
}
