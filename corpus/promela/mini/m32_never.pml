/* spin-counts: 6 0 6; errors 2 */
byte x;
active proctype P() { do :: x < 3 -> x++ :: x == 3 -> x = 0 od }
never { do :: x != 2 :: x == 2 -> break od }
