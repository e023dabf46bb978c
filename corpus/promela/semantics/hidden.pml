/* spin-counts: 23 9 32; errors 0 */
hidden byte h; byte x;
active proctype P() { h = 3; x = h; h = 0; x = 1 }
active proctype Q() { x = 2 }
