/* spin-counts: 14 1 15; errors 1 */
/* `pc_value` gives the numbers that `pan -d` prints: 3 is the last assignment of A. */
byte x;
active proctype A() { x = 1; x = 2; x = 3 }
active proctype B() { pc_value(0) == 3 -> x = 9 }
