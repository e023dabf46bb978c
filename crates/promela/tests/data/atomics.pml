/* what an atomic sequence ends with, jumps out of and into them, d_step */
byte x, i;
chan q = [2] of { byte };
active proctype ends() {
    atomic { x = 1; if :: x == 1 -> x = 2 :: else fi };
    atomic { x = 5; do :: x < 3 -> x++ :: else -> break od };
    atomic { x = 1; { x = 2; { x = 3 } } };
    atomic { x = 1; { x = 2 } unless { x == 3 } };
    atomic { { x = 1; x = 2 }; x = 3; atomic { x = 4; x = 5 }; x = 6 };
    atomic { skip };
    atomic { if :: x = 1; if :: x = 2 :: x = 3 fi :: x = 4 fi; if :: x :: !x fi };
    atomic { x = 1; d_step { x = 2; x = 3 } };
    atomic { x = 1; for (i : 1 .. 3) { x = i } };
    atomic { x = 1; select (i : 1 .. 3) }
}
active proctype jumps() {
    atomic { x = 1; goto M };
    do :: atomic { x = 2; break } :: atomic { break } :: atomic { x > 1 -> if :: x = 1; break :: goto M fi } od;
M:  atomic { x = 3; N: x = 4; x = 5; goto N };
    atomic { x = 6; goto M };
    atomic { x = 6; goto N };
    atomic { do :: x = 1; goto O :: x = 2; if :: x = 3 :: goto N fi od; O: x = 4; x = 5 }
}
active proctype guards() {
    do :: atomic { q?x -> x = 1 } :: atomic { q?[1] -> q?x } :: d_step { x == 2 -> x = 3 }
       :: atomic { if :: x = 1 :: x = 2; x = 3 fi; x = 4 } :: else -> atomic { x = 0; skip }
    od
}
active proctype steps() {
    d_step { x == 1 -> x = 2; do :: x < 3 -> x++ :: else -> break od };
    x = 2;
    d_step { x = 3 };
    d_step { if :: x == 1 -> goto A :: else fi; x = 2; A: x = 3; x = 4 };
    x = 5
}
