/* spin-counts: 6 0 6; errors 0 */
byte x;
active proctype P() { x = 1; byte q[2] = 3; byte z = x + 1; x = q[0] + q[1] + z }
