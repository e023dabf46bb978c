/* spin-counts: 18 3 21; errors 0 */
/* What is received into `_pid` is stored there. */
mtype = { m };
chan env = [2] of { mtype, byte };
byte x;
active [2] proctype A() { if :: env!m(_pid + 4) :: env?m(_pid) -> x = 1 fi }
