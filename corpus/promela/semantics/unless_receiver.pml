/* spin-counts: 17 3 20; errors 1 */
chan c = [0] of { byte }; byte x, y;
active proctype P() { { c?x; x = 2 } unless { y == 1 -> x = 9 } }
active proctype Q() { y = 1; c!4; y = 3 }
