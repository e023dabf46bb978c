/* SPIN 8/0/8, 1 errors (assertion); argos 8/0/8, 0 errors */
/* SPIN takes a receive back with the value of the variable: the 3 that `b` cut to 1
   comes back as 1, and SPIN reports an assertion that cannot fail. */
bit b;
byte c;
chan q = [1] of { short };
active proctype P() {
    q!3;
    if
    :: q?b
    :: q?c
    fi;
    assert(c == 0 || c == 3)
}
