/* atomic that blocks half way exposes its middle state

live: ltl eq: violated violated violated
live: ltl end: holds holds holds
*/
byte a, b; bit go;
active proctype A() { atomic { a = 1; go -> b = 1 } }
active proctype B() { go = 1 }
ltl eq  { [] (a == b) }
ltl end { <> [] (a == b) }
