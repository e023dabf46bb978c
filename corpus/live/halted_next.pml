/* what is next where the system stands still is the same again

live: ltl next: violated violated violated
live: ltl same: holds holds holds
*/
byte g;
active proctype A() { end: g == 1 }
ltl next { X (g == 1) }
ltl same { X X (g == 0) }
