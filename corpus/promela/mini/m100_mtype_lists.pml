/* spin-counts: 3 0 3; errors 0 */
/* numbering over several lists: each list reversed, lists appended */
mtype = { a, b }; mtype = { c, d };
active proctype P() { assert(b == 1 && a == 2 && d == 3 && c == 4) }
