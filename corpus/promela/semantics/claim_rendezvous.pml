/* spin-counts: 6 1 7; errors 0 */
chan c = [0] of { byte }; byte x;
active proctype P() { c!1; c!2 }
active proctype Q() { do :: c?x :: x == 2 -> break od }
never { do :: x == 0 :: x == 1 -> break :: else -> break od; do :: x > 0 od }
