/* spin-counts: 42 23 65; errors 0 */
byte x, y;
active proctype P() { { { x = 1; x = 2; x = 3 } unless { y == 1 -> x = 10 } } unless { y >= 1 -> x = 20; x = 21 } }
active proctype Q() { y = 2; y = 1; y = 0 }
