/* the acceptance label of a process is no part of a formula

live: ltl live: holds holds holds
live: ltl ok: holds holds holds
live: no acceptance cycle: violated violated violated
*/
bit x;
active proctype A() {
  do
  :: x = 1;
accept: x = 0
  od
}
ltl live { [] <> (x == 1) }
ltl ok   { [] (x <= 1) }
