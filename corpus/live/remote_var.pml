/* remote reference to a local variable

live: ltl inv: holds holds holds
live: ltl gf: holds holds holds
live: ltl fg: violated violated violated
*/
bit g;
active proctype A() { byte k; do :: k < 3 -> k++ :: k == 3 -> k = 0 :: k == 2 -> g = 1; k = 3 od }
ltl inv { [] (A:k <= 3) }
ltl gf  { [] <> (A:k == 2) }
ltl fg  { <> (g == 1) }
