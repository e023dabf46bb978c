/* spin-counts: 4 1 5; errors 0 */
/* finite run extended by stuttering: <>[] needed */
byte x;
active proctype P() { x = 1; x = 2 }
ltl p { <> (x == 3) }
