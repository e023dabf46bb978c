/* spin-counts: 3 2 5; errors 0 */
byte x;
active proctype P() { do :: x = 1; progress: x = 0 :: x = 2; x = 0 od }
