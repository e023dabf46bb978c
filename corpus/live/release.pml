/* V (release) and W

live: ltl r1: violated violated violated
live: ltl r2: holds holds holds
live: ltl w1: violated violated violated
live: ltl w2: violated violated violated
*/
bit p, q;
active proctype A() {
  if
  :: p = 1; q = 1
  :: q = 1; q = 0
  fi
}
ltl r1 { p V (!q) }
ltl r2 { p V (q || !q) }
ltl w1 { (!q) W p }
ltl w2 { (!q) U p }
