/* retransmission driven by timeout

live: ltl live: holds holds holds
live: ltl ord: holds holds holds
*/
chan c = [1] of { byte };
bit got; bit lost;
active proctype S() { c!1; do :: timeout -> c!1 :: got -> break od }
active proctype R() { byte v; c?v; lost = 1; c?v; got = 1 }
ltl live { <> got }
ltl ord  { !got U lost }
