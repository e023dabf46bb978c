/* expect: N0016@4:5 M0020@5:38 N0016@6:21 */
byte x;
active proctype P() {
    else -> x = 1;
    if :: else -> x = 1 :: x == 2 :: else -> x = 3 fi;
    if :: x == 1 -> else -> x = 3 :: else fi;
    do :: atomic { else -> break } :: x = 2 od
}
