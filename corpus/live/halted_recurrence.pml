/* a system that terminates, an accepting state of the automaton that is passed again and again at its end

live: ltl test: violated violated violated
*/
byte n;
active proctype P() { n = 1 }
active proctype Q() { n = 2 }
ltl test { <> [] (n == 1) }
