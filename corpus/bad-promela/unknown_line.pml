/* expect: M0039@4:11 M0039@5:27 */
active proctype P() { byte x; do :: x = 1 - x od }
active proctype Q() { skip }
ltl f { P:9 -> Q:3 }
ltl g { <> (P:2 && []<> Q:2) }
