/* spin-counts: 6 4 10; errors 0 */
byte x;
active proctype P() { do :: x = 1 - x :: x < 2 -> x = 2; x = 0 od }
never { do :: x == 2 -> assert(x != 2) :: else od }
