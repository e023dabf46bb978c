/* B is continuously enabled but may be starved by A: weak fairness needed

live: ltl live: violated holds holds
live: ltl gfx: holds holds holds
*/
bit x, done;
active proctype A() { do :: x = 1 - x od }
active proctype B() { done = 1 }
ltl live { <> done }
ltl gfx  { [] <> x }
