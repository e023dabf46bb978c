/* spin-counts: 4 0 4; errors 2 */
byte x;
active proctype A() { x = 1; assert(x == 2); x = 3; x == 4 }
