/* a process that can only fail can move: without it no run of the other is fair

live: ltl sought: violated unknown unknown
live: ltl bound: unknown unknown unknown
*/
byte g, h;
active proctype P() { do :: g == 0 -> h = 6 / g od }
active proctype Q() { do :: h = 1 - h od }
ltl sought { <> (h == 7) }
ltl bound { [] (h <= 1) }
