/* spin-counts: 16 17 33; errors 0 */
/* nondeterminism inside atomic: different inner paths, same end state => matched */
byte x;
active [2] proctype P() { atomic { if :: x++ :: x++; skip :: x = x + 2 fi; x = x & 7 } }
