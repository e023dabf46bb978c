/* spin-counts: 24 5 29; errors 2 */
byte x;
active proctype A() { x == 1; x = 2; x == 7 }
active proctype B() { x = 1; if :: enabled(0) -> x = 3 :: else -> x = 4 fi; x = 7 }
