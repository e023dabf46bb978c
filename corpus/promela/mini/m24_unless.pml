/* spin-counts: 26 13 39; errors 0 */
byte x, y;
active proctype A() { { x = 1; x = 2; x = 3 } unless { y == 1 -> x = 10; x = 11 }; x = 20 }
active proctype B() { y = 1 }
