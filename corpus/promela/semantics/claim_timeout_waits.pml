/* spin-counts: 5 1 6; errors 0 */
/* a claim that waits for a timeout gets it if both sides mention one */
byte x;
active proctype P() { x = 1; timeout -> x = 2 }
never { do :: timeout -> break od; do :: skip od }
