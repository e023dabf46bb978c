/* p -> q -> r is (p -> q) -> r

live: ltl left: violated violated violated
live: ltl lpar: violated violated violated
live: ltl rpar: holds holds holds
*/
bit p, q, r;
active proctype A() { p = 0; q = 0; r = 0 }
ltl left  { p -> q -> r }
ltl lpar  { (p -> q) -> r }
ltl rpar  { p -> (q -> r) }
