/* the sender has nothing else to do: must hand over under weak fairness

live: ltl live: violated holds holds
*/
chan c = [0] of { byte };
bit x, got;
active proctype N() { do :: x = 1 - x od }
active proctype S() { c!1 }
active proctype R() { byte v; c?v; got = 1 }
ltl live { <> got }
