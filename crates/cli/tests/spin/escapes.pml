/* unless, timeout, jumps, select, sorted sends, inlined text */
byte x, n;
chan q = [3] of { byte };
inline twice(v) { v = v + 1; v = v + 1 }
active proctype P() {
    byte i;
    q!!3; q!!1; q!!2;
    twice(x);
    { q?i; x = x + i; q?i; x = x + i } unless { x == 3 -> n = 1 };
    select (i : 1 .. 2);
    do
    :: i == 1 -> i = 2
    :: i == 2 -> goto out
    od;
out:
    q??[3] -> q??3;
    if
    :: atomic { len(q) > 0 -> q?i; if :: i == 2 -> x = 9 :: else fi }
    :: timeout -> n = 7
    fi;
    assert(n != 1)
}
active proctype Q() {
    timeout -> n = n + 2
}
