/* spin-counts: 13 6 19; errors 0 */
byte x;
active [2] proctype P() { atomic { x++; atomic { x++; x++ }; x = x - 3 }; x++ }
