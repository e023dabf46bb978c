/* expect: N0011@11:13 N0011@12:13 N0011@13:13 N0011@14:17 N0011@15:13 N0011@16:13 N0011@17:21 */
/* A prefix operator before a comparison: what it applies to is shown. */
#define big x > 3
byte x, y;
bool p, q;
chan c = [2] of { byte };

active proctype P()
{
	x = 4; y = 1; c!1; p = true; q = true }
ltl least { [] x >= 4 }
ltl equal { <> x == 1 }
ltl macro { always !big }
ltl nested { [] <> len(c) < 2 }
ltl sides { ! p == q }
ltl other { !big }
ltl deep { [] (p -> <> x + 1 == y) }
ltl fine { [] p && x == 1 U y == 2 }
ltl tests { [] nempty(c) || <> full(c) || ! empty(c) }
