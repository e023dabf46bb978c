/* spin-counts: 6 0 6; errors 2 */
/* the claim at its end, and nobody else alive */
byte x;
active proctype P() { x = 1 }
never { do :: x == 0 :: x == 1 -> break od; x == 1; x == 1; x == 1 }
