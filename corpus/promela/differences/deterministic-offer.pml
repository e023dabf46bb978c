/* SPIN 3/0/3, 1 errors (nondeterminism); argos 3/0/3, 0 errors */
/* SPIN calls a D_proctype nondeterministic where its second way is an offer that nobody
   takes. */
byte x;
chan r = [0] of { byte };
active D_proctype P() {
    if
    :: x = 1
    :: r!1
    fi
}
