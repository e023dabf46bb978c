/* fairness written in the formula

live: ltl plain: violated violated holds
live: ltl cond: holds holds holds
*/
bit x, y, a, b;
active proctype A() { do :: x = 1 - x; a = 1 - a od }
active proctype B() { do :: x == 1 -> y = 1 - y; b = 1 - b od }
ltl plain { [] <> (y == 1) }
ltl cond  { ([] <> b && [] <> !b) -> [] <> (y == 1) }
