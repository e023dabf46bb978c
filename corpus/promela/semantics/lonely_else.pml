/* spin-counts: 103 57 160; errors 0 */
/* Where nothing else can be chosen, `else` is always executable. */
byte x;
active proctype A() {
    else -> x = 1;
    if :: x == 1 -> else -> x = 2 :: byte y = 3; else -> x = y fi;
    if :: true; else -> x = 4 :: x == 1 fi;
    { else -> x = 5 } unless { x == 6 };
    atomic { x = 7; else -> x = 8 }
}
active proctype B() { x = 6 }
