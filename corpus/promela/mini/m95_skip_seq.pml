/* spin-counts: 9 0 9; errors 0 */
/* consecutive skips inside an option: interior redundant ones are dropped */
byte x;
active proctype P() { if :: x == 0 -> skip; skip; skip; skip; x = 1 :: else fi; skip; skip; skip; x = 2 }
