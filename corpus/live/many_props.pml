/* several formulas and an assertion that fails: each has its own verdict

live: ltl p1: holds holds holds
live: ltl p2: holds holds holds
live: ltl p3: violated violated violated
live: ltl p4: holds holds holds
live: no assertion fails: violated violated violated
*/
byte x;
active proctype A() { do :: x < 5 -> x++ :: x == 5 -> assert(x != 5); x = 0 od }
ltl p1 { [] (x <= 5) }
ltl p2 { [] <> (x == 0) }
ltl p3 { <> [] (x > 0) }
ltl p4 { (x < 3) U (x == 3) }
