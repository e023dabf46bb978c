/* spin-counts: 8 1 9; errors 0 */
/* the else of an inner choice asks only what stands before it */
byte x;
active proctype P() { x = 4; if :: if :: x == 1 -> x = 7 :: else -> x = 8 fi :: x == 4 -> x = 9 fi; x = 0 }
