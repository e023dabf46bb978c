/* token ring of three, weak fairness needed against the spinner

live: ltl live: violated holds holds
live: ltl rr: holds holds holds
*/
byte tok; bit x;
active proctype N() { do :: x = 1 - x od }
active proctype A() { do :: tok == 0 -> tok = 1 od }
active proctype B() { do :: tok == 1 -> tok = 2 od }
active proctype C() { do :: tok == 2 -> tok = 0 od }
ltl live { [] <> (tok == 2) }
ltl rr { [] (tok == 1 -> ((tok == 1) W (tok == 2))) }
