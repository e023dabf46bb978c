/* spin-counts: 4 1 5; errors 0 */
/* weak fairness matters */
bit a, b;
active proctype P() { do :: a = 1 - a od }
active proctype Q() { b = 1 }
ltl q { <> (b == 1) }
