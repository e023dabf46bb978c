/* response, single process: no fairness needed

live: ltl resp: holds holds holds
live: ltl back: holds holds holds
live: ltl bad: violated violated violated
*/
bit req, ack;
active proctype A() {
  do
  :: req = 1; ack = 1; req = 0; ack = 0
  od
}
ltl resp { [] (req -> <> ack) }
ltl back { [] (ack -> <> !ack) }
ltl bad  { [] (req -> ack) }
