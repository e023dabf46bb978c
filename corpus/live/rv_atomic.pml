/* atomic sender loses control to the receiver

live: ltl mid: violated violated violated
live: ltl fin: holds holds holds
*/
chan c = [0] of { byte };
byte a; byte seen;
active proctype S() { atomic { a = 1; c!1; a = 2 } }
active proctype R() { byte v; c?v; seen = a }
ltl mid { [] !(seen == 1) }
ltl fin { <> [] (a == 2) }
