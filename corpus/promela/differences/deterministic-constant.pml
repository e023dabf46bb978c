/* SPIN 7/0/7, 1 errors (nondeterminism); argos 7/0/7, 2 errors (nondeterminism) */
/* SPIN does not see that the second way of a D_proctype is open if it is a constant:
   one error instead of two. */
byte x;
active D_proctype P() {
    if
    :: x = 1
    :: skip
    :: x = 2
    fi
}
