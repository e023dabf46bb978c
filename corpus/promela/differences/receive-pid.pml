/* SPIN 136/194/330, 0 errors; argos 2240/3265/5505, 0 errors */
/* What is received into `_pid` is stored there, and SPIN leaves `_pid` out of its states:
   compiled by -DNOCOMP, its verifier has 2240. */
mtype = { m };
chan env = [2] of { mtype, byte };
byte x;
active [2] proctype A() { end: do :: env!m(_pid ^ 2) :: env?m(_pid) -> x = x ^ _pid od }
