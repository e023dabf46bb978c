/* spin-counts: 6 0 6; errors 0 */
/* What is received into `_pid` is stored there. */
mtype = { m };
chan env = [2] of { mtype, byte };
byte x;
active proctype S() { env!m(7) }
active proctype R() { env?m(_pid); x = _pid; env!m(_pid + 1); assert(x == 7); end: false }
