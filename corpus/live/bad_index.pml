/* a proposition that cannot be evaluated in some state is an error of the model

live: no bad index: violated violated violated
live: ltl sought: unknown unknown unknown
*/
byte a[2], i;
active proctype P() { do :: i < 3 -> i++ :: i == 3 -> i = 0 od }
ltl sought { <> (a[i] == 1) }
