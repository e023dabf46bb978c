/* choices inside choices, jumps first and last, skips in a row */
byte x;
active proctype lifted() {
    do :: x == 1 -> do :: x = 2 :: x = 3; break od
       :: do :: x = 4 :: break od
       :: if :: x = 5 :: if :: x = 6 :: { x = 7; x = 8 } fi fi
       :: goto done
    od;
done: x = 9
}
active proctype skips() {
    if :: x = 1; skip; skip; printf("a"); skip; x = 2
       :: skip; skip
       :: x = 3; skip; skip; L: skip; skip
       :: false -> x = 4
       :: else
    fi
}
active proctype jumps() {
    goto a;
    x = 1;
a:  goto b;
b:  { goto c; x = 2 };
c:  if :: x -> goto d :: goto d fi;
d:  end1: goto e; x = 3;
e:  progress2: accept3: skip
}
active proctype blocks() {
    { do :: x < 3 -> x++ :: { { x > 0 -> x-- } } :: x == 3 -> break od };
    { { x = 1 } };
L:  { if :: x :: !x fi };
    goto L
}
active proctype again() {
    x = 1;
L:  { { goto L; x = 2 } unless { goto L } } unless { x == 2 };
    x = 3
}
