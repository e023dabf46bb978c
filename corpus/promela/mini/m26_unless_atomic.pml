/* spin-counts: 12 2 14; errors 0 */
byte x, y;
active proctype A() { atomic { x = 1; x = 2; x = 3 } unless { y == 1 -> x = 10 } }
active proctype B() { y = 1 }
