/* spin-counts: 15 0 15; errors 0 */
/* numbers of dead channels are given out again */
chan g; byte x;
proctype A() { chan l = [1] of { byte }; g = l; l!1; g?x }
init { run A(); _nr_pr == 1 -> run A(); _nr_pr == 1 -> x = 9 }
