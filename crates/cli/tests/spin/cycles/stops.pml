/* runs: -a -ltl never_three | -a -ltl stays | -a -ltl returns | -a -f -ltl never_three | -a -f -ltl returns */
byte x;
active proctype P() {
    x = 1;
    x = 2
}
active proctype Q() {
    x == 2;
    x = 4;
    x == 9
}
ltl never_three { <>(x == 3) }
ltl stays { <>[](x == 4) }
ltl returns { []<>(x == 1) }
