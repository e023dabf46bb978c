/* beside an option that is always executable `else` is not

live: never never_0: holds holds holds
*/
bit p;
active proctype A() { do :: p = 1 - p od }
never {
T0: do :: true -> goto T0 :: else -> goto accept od;
accept: do :: true od
}
