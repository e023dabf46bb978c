/* spin-counts: 9 0 9; errors 0 */
/* blocks half way: the blocking state becomes visible and is stored */
byte x;
active proctype P() { atomic { x = 1; x == 2 -> x = 3; x = 4 } }
active proctype Q() { x == 1 -> x = 2; x == 4 -> x = 5 }
