/* a choice inside one process is not covered by fairness of processes

live: ltl live: violated violated violated
*/
chan c = [1] of { byte };
bit got;
active proctype S() { do :: c!1 od }
active proctype R() { byte v; do :: c?v -> got = 1 :: c?v od }
ltl live { <> got }
