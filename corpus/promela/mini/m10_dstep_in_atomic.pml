/* spin-counts: 7 2 9; errors 0 */
byte x;
active [2] proctype P() { atomic { x++; d_step { x++; x++ }; x++; d_step { x--; x-- } } }
