/* two conditions at the end of runs that stop, one of them behind a helper that ends

live: ltl a: violated violated violated
live: ltl b: violated violated violated
live: ltl c: violated violated violated
live: ltl d: holds holds holds
*/
byte n; byte k;
active proctype P() { do :: k < 2 -> k++ :: k == 2 -> break od; n = 1 }
active proctype Q() { n = 2 }
ltl a { <> [] (n == 1) }
ltl b { <> [] (n == 2) }
ltl c { ([] <> (n == 1)) || ([] <> (n == 2 && k == 1)) }
ltl d { <> ([] (n == 1) || [] (n == 2)) }
