/* spin-counts: 5 0 5; errors 0 */
/* The commas of a list of constants are optional, and may be repeated. */
mtype = { a, , b c, };
mtype x = a;
active proctype P() { assert(x == 3); x = b; x = c }
