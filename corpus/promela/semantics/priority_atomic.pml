/* spin-counts: 27 3 30; errors 0 */
/* a higher priority breaks into an atomic sequence */
byte x;
active proctype P() priority 3 { x == 1 -> x = 5 }
active proctype Q() { atomic { x = 1; x = x + 1; x = x + 2 } }
active proctype R() { x = 9 }
