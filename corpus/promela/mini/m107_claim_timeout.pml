/* spin-counts: 4 1 5; errors 0 */
/* timeout with a claim present */
byte x;
active proctype P() { timeout -> x = 1 }
never { do :: x < 2 od }
