/* spin-counts: 5 0 5; errors 1 */
/* nondeterminism inside D_proctype is an error in pan */
byte x;
active D_proctype P() { if :: x = 1 :: x = 2 fi }
