/* runs: -a | -a -ltl late | -a -ltl second | -l */
byte x;
ltl late { []<>(x == 0) }
active proctype A() {
    do
    :: x = 1
    :: x = 0
    od
}
never first {
    do
    :: x > 1 -> break
    :: else
    od
}
never second {
    do
    :: true
    :: x == 1 -> break
    od;
accept:
    do
    :: x == 1
    od
}
active proctype B() {
    skip
}
