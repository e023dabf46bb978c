/* spin-counts: 5 0 5; errors 0 */
/* straight line; one process; init state + one state per statement + death */
byte x;
active proctype P() { x = 1; x = 2; x = 3 }
