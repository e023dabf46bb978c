/* spin-counts: 18 9 27; errors 0 */
/* last statement of atomic is an if: the join point after it */
byte x;
active proctype P() { atomic { x = 1; if :: x = 2 :: x = 3; x = 4 fi }; x = 9 }
active proctype Q() { x = 50 }
