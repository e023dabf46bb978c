/* unless: nested, around blocks, loops, atomics, labelled, with jumps */
byte x, i;
inline f(a) { a = 1; x = 2 }
active proctype plain() {
    { x = 1; x = 2 } unless { x == 5 -> x = 7; x = 8 };
    x = 1 unless x == 2;
    if :: x = 1; x = 2 :: else -> x = 3 fi unless { x == 4 };
    do :: x < 2 -> x++ :: break od unless { x == 1 -> goto out; x = 9 };
    x = 3;
out: x = 4
}
active proctype nested() {
    { x = 1 unless { x == 2; x = 3 }; x = 4; { x = 5; x = 6 } unless { if :: x == 8 :: x == 9 -> skip fi } }
    unless { x == 5; x = 6 };
    x = 7
}
active proctype labelled() {
A:  { x = 1; x = 2 } unless { x == 5 };
B:  atomic { x = 1; x = 2 } unless { x == 5 -> x = 7 };
C:  f(x) unless { x == 8 };
end: do :: x = 5 od unless { x == 6 };
    if :: x == 1 -> goto A :: x == 2 -> goto B :: x == 3 -> goto C :: goto end fi
}
active proctype inside() {
    atomic { x = 1; { x = 2; x = 3 } unless { x == 4 }; x = 5 };
    atomic { x = 1; x = 2; x = 3 } unless { x == 4 -> x = 5 };
    d_step { x = 1; x = 2 } unless { x == 3 };
    do :: x == 0 -> x = 1 unless x == 2; x = 3 :: { x = 4 } unless { x == 5 -> break } :: x = 6 unless { goto L } od;
L:  for (i : 1 .. 2) { x = i } unless { x == 3 };
    { for (i : 1 .. 2) { x = i } } unless { x == 3 }
}
active proctype round() {
    do :: x = 1; { goto end0; x = 2 } unless { x == 3 }; end0: { { x = 4; goto end0 } unless { x == 5 } } od
}
