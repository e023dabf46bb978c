/* SPIN 4/0/4, 6 errors (deadlock, index); argos 4/0/4, 2 errors (deadlock, index), argos: INCOMPLETE (cut) */
/* SPIN reports the bad index of a condition that then blocks each time it asks, also
   when it asks whether it is time for the timeout. Argos finds it in a second search. */
byte a[2], x = 1;
active proctype P() {
    x++;
    a[x] == 1
}
active proctype Q() {
    end: timeout
}
