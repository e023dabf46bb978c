/* handshake is one step; both sides move together

live: ltl gf: holds holds holds
live: ltl gf2: holds holds holds
live: ltl inv: violated violated violated
*/
chan c = [0] of { byte };
byte s, r;
active proctype S() { do :: c!1 -> s = 1 - s od }
active proctype R() { byte v; do :: c?v -> r = 1 - r od }
ltl gf  { [] <> (s == 1) }
ltl gf2 { [] <> (r == 1) }
ltl inv { [] (s == r) }
