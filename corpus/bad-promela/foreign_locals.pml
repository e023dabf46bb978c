/* expect: M0007@8:18 M0007@9:12 M0007@11:20 */
/* Locals of proctypes, asked for by their bare names where no proctype is. */
bool open = true;
active proctype A() { byte j; do :: j < 2 -> j++ :: open = !open od }
active proctype B() { byte k; k = 1 }
ltl fine { [] (A:j < 3 && (B:k == 0 || B:k == 1)) }

ltl unseen { [] (j < 2 && open) }
ltl late { k == 1 }

never unseen_too { j < 2 }
