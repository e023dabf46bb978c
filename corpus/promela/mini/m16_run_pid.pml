/* spin-counts: 11 0 11; errors 0 */
/* dynamic creation and pid reuse */
byte n; pid last;
proctype K(byte v) { n = n + v }
init { last = run K(1); (_nr_pr == 1); last = run K(2); (_nr_pr == 1); assert(last == 1 && n == 3) }
