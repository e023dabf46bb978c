/* the same, but the run ends in a deadlock of blocked processes

live: ltl test: violated violated violated
*/
byte n; bit never_set;
active proctype P() { n = 1; never_set }
active proctype Q() { n = 2; never_set }
ltl test { <> [] (n == 1) }
