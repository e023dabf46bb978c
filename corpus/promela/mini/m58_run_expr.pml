/* spin-counts: 19 10 29; errors 0 */
byte n;
proctype K() { n++ }
init { atomic { run K(); run K(); run K() }; (_nr_pr == 1) -> assert(n == 3) }
