/* spin-counts: 10 0 10; errors 2 */
byte x; chan q = [2] of { byte };
active D_proctype P() { do :: x < 2 -> x++ :: x == 1 -> x = 3; q!1 :: q?x -> break od }
