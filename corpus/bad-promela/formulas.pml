/* expect: M0002@4:20 M0031@5:9 M0002@6:13 M0008@8:1 */
byte x;
active proctype P() { x = 1 }
ltl a { [] (x == 1 }
ltl b { (<> (x == 1)) + 1 == 2 }
ltl c { x U }
ltl d { <> y }
ltl d { <> x }
