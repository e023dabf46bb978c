/* polling with else keeps the process enabled

live: ltl live: violated holds holds
*/
bit x, y, done;
active proctype A() { do :: y == 1 -> break :: else -> x = 1 - x od; done = 1 }
active proctype B() { y = 1 }
ltl live { <> done }
