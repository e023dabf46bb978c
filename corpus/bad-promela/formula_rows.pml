/* expect: N0010@9:11 N0010@10:11 N0010@11:11 N0010@12:11 N0010@13:17 N0010@14:11 */
/* Operators of one strength in a row: how they are read is shown. */
bool p, q, r, s;

active proctype P()
{
	p = true; q = true; r = true; s = true
}
ltl one { p -> q -> r }
ltl two { p <-> q -> r }
ltl six { p U q U r }
ltl mix { p W q V r || s }
ltl inner { <> (p U q W r) -> s }
ltl end { [] p -> <> q -> r }
ltl fine { p -> q U r }
ltl good { p && q && r || s || p -> (q -> r) }
