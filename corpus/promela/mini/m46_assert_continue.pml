/* spin-counts: 21 12 33; errors 4 */
/* a failed assertion does not stop exploration under -c0 */
byte x;
active [2] proctype P() { x++; assert(x == 1); x-- }
