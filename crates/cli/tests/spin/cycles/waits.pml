/* runs: -a -ltl quiet | -a -ltl loud | -a -f -ltl loud */
byte x;
chan q = [2] of { byte };
active proctype A() {
    do
    :: timeout -> x = 1
    :: q?1 -> x = 2
    :: x == 1 -> x = 0; q!1
    od
}
active proctype B() {
    do
    :: x == 2 -> x = 3
    :: else -> x != 2 -> skip; x == 2
    od
}
ltl quiet { [](x != 3) }
ltl loud { []<>(x == 3) }
