/* accepting claim state is passed once only

live: never never_0: holds holds holds
*/
byte x;
active proctype A() { do :: x < 3 -> x++ :: x == 3 -> x = 2 od }
never {
T0: do :: x < 2 :: x == 2 -> goto accept od;
accept: x >= 2;
T1: do :: x >= 2 od
}
