/* spin-counts: 6 1 7; errors 0 */
/* the verifier counts the claim as a process */
byte x;
active proctype P() { x = _nr_pr; if :: x == 1 -> x = 7 :: x == 2 -> x = 8; x = 9 fi }
never { do :: x < 9 :: x == 9 od }
