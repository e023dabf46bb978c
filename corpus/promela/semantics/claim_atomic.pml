/* spin-counts: 5 1 6; errors 0 */
/* an atomic sequence of the claim is one move */
byte x;
active proctype P() { x = 1; x = 2; x = 3 }
never { do :: x < 2 :: atomic { x == 2 -> x != 1 }; break od; do :: x == 2 :: x == 3 od }
