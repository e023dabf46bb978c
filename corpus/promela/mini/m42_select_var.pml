/* spin-counts: 20 0 20; errors 0 */
byte i, n = 4;
active proctype P() { select (i : 1 .. n); i = i + 10 }
