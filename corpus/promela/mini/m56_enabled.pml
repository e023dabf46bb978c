/* spin-counts: 19 2 21; errors 2 */
byte x;
active proctype A() { x == 1 -> x = 2 }
active proctype B() { x = 1; enabled(0); x = 3; enabled(0) == 0; x = 4 }
