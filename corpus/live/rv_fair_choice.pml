/* the receiver is always ready, the sender may always do something else: SPIN counts the
   sender only, so its runs may never hand over

live: ltl meets: violated holds holds
spin: ltl meets: violated violated violated
*/
byte x;
chan q = [0] of { byte };
active proctype A() { do :: q!1 :: x = 0 od }
active proctype B() { byte y; do :: q?y; x = 1 od }
ltl meets { []<> (x == 1) }
