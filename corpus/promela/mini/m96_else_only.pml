/* spin-counts: 6 0 6; errors 0 */
byte x;
active proctype P() { if :: else -> x = 1 fi; if :: false -> x = 3 :: else fi; x = 4 }
