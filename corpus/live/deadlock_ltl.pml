/* circular wait: the deadlock is reported beside the formula

live: ltl safe: holds holds holds
live: ltl live: violated violated violated
live: ltl fg: holds holds holds
live: no deadlock: violated violated violated
*/
chan c = [1] of { byte }; chan d = [1] of { byte };
byte got;
active proctype A() { byte v; c?v; d!1; got = 1 }
active proctype B() { byte v; d?v; c!1; got = 2 }
ltl safe { [] (got == 0) }
ltl live { <> (got > 0) }
ltl fg   { <> [] (got == 0) }
