/* timeout is false while any process can move: it never fires here

live: ltl never_t: holds holds holds
live: ltl even_t: violated violated violated
*/
bit x, t;
active proctype A() { do :: x = 1 - x od }
active proctype B() { timeout -> t = 1 }
ltl never_t { [] !t }
ltl even_t  { <> t }
