/* cycle proviso: an invisible loop must not postpone B for ever

live: ltl np: violated violated violated
live: ltl lv: violated holds holds
*/
bit x, p;
active proctype A() { byte k; do :: k = 1 - k od }
active proctype B() { p = 1 }
ltl np { [] !p }
ltl lv { <> p }
