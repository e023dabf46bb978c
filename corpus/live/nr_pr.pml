/* _nr_pr counts processes only, whatever is checked

live: ltl g0: holds holds holds
*/
byte n;
active proctype A() { (_nr_pr == 1) -> n = 1 }
active proctype B() { n = 0 }
ltl g0 { <> (n == 1) }
