/* spin-counts: 10 0 10; errors 0 */
/* who is not provided for does not stand in the way */
byte x;
active proctype P() priority 5 provided (x > 1) { x = 7; x = 8 }
active proctype Q() priority 2 { x = 1; x = 2; x = 3 }
active proctype R() { x = 4 }
