/* spin-counts: 6 1 7; errors 0 */
/* else next to a rendezvous send */
chan c = [0] of { byte };
byte x;
active proctype S() { if :: c!1 -> x = 1 :: else -> x = 2 fi }
active proctype R() { byte v; if :: c?v :: x == 2 -> skip fi }
