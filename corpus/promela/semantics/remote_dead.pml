/* spin-counts: 16 0 16; errors 2 */
byte x;
proctype A() { byte v = 3; L: v = 4; v = 5 }
init { pid p; p = run A(); A[p]@L; A[p]:v == 5; _nr_pr == 1; if :: A[p]:v == 0 -> x = 1 :: A[p]@L -> x = 2 fi; x = 3 }
