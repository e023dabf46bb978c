/* spin-counts: 4 2 6; errors 0 */
/* the claim sees the timeout it allows */
byte x;
active proctype P() { atomic { timeout -> x = 1; timeout -> x = 2 }; x = 3 }
never { do :: timeout :: x < 3 :: x == 3 -> goto done od; done: do :: x == 3 od }
