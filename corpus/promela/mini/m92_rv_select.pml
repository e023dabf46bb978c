/* spin-counts: 6 0 6; errors 2 */
/* rendezvous matching on constants picks the partner */
chan c = [0] of { byte };
byte x;
active proctype S() { if :: c!1 :: c!2 fi }
active proctype R1() { c?1; x = x + 1 }
active proctype R2() { c?2; x = x + 2 }
