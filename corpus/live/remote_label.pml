/* Peterson; remote label references; liveness needs weak fairness

live: ltl mutex: holds holds holds
live: ltl live0: holds holds holds
live: ltl any: holds holds holds
live: ltl each: violated holds holds
*/
bit f[2]; bit turn;
active [2] proctype P() {
again: f[_pid] = 1;
try: turn = _pid;
wait: (f[1 - _pid] == 0 || turn == 1 - _pid);
cs: skip;
  f[_pid] = 0;
  goto again
}
ltl mutex { [] !(P[0]@cs && P[1]@cs) }
ltl live0 { [] (P[0]@wait -> <> P[0]@cs) }
ltl any   { [] <> (P[0]@cs || P[1]@cs) }
ltl each  { [] <> P[0]@cs }
