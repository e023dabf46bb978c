/* spin-counts: 38 18 56; errors 0 */
byte x;
active [2] proctype P() { x = _pid; x = _nr_pr; (_last == 1 || _last == 0) }
