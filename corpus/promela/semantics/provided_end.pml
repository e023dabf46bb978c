/* spin-counts: 10 2 12; errors 0 */
byte x;
active proctype P() { x = 1; x = 0 }
active proctype Q() provided (x == 0) { skip }
