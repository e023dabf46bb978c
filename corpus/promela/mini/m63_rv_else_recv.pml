/* spin-counts: 14 1 15; errors 1 */
/* receive on rendezvous next to else: else is always open when polled */
chan c = [0] of { byte };
byte x;
active proctype S() { c!1; x = 3 }
active proctype R() { byte v; if :: c?v -> x = 1 :: else -> x = 2 fi }
