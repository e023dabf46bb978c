/* dynamic processes

live: ltl two: holds holds holds
live: ltl gone: holds holds holds
live: ltl fg: holds holds holds
*/
byte n;
proctype W() { n = n + 1 }
init { run W(); run W() }
ltl two { <> (n == 2) }
ltl gone { <> (_nr_pr == 0) }
ltl fg { <> [] (n == 2) }
