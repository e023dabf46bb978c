/* deeper formulas

live: ltl n1: holds holds holds
live: ltl n2: violated violated violated
live: ltl n3: holds holds holds
live: ltl n4: violated violated violated
*/
byte x;
active proctype A() { do :: x = 0; x = 1; x = 2; x = 1 :: x = 3; x = 1; x = 3 od }
ltl n1 { [] (x == 2 -> (x == 2 || x == 1 || x == 0) U (x == 0 || x == 1 && <> (x == 3 || x == 0))) }
ltl n2 { <> (x == 1 && <> (x == 2 && [] (x != 3))) }
ltl n3 { [] (x == 3 -> ((x != 2) W (x == 1))) }
ltl n4 { [] ((x == 0) -> <> (x == 1 && (x == 1 U x == 2))) }
