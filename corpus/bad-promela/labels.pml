/* expect: M0010@5:1 M0009@6:10 M0009@7:10 M0019@9:8 M0019@12:14 M0019@13:24 M0019@14:18 M0019@18:23 */
byte x;
active proctype P() {
L:  x = 1;
L:  x = 2;
    goto M;
    goto Lx;
    if
    :: first: x = 1
    :: x = 2
    fi;
    atomic { second: x = 1 };
    { x = 1 } unless { third: x = 2 };
    x = 3 unless fourth: x = 4;
    skip
}
inline again() { K: skip; goto K }
active proctype Q() { again(); again(); goto K }
