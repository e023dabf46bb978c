/* expect: M0037@9:13 M0037@10:16 M0037@11:17 M0037@12:12 M0037@13:17 M0014@14:11 M0037@15:17 */
/* Formulas that would change something. */
byte x;
chan c = [2] of { byte };
proctype Q() { skip }
active proctype P()
{	x = 1; c!1
}
ltl one { x = 1 }
ltl two { [] (x++) }
ltl three { <> c!1 }
ltl four {c?x}
ltl five { p U x-- }
ltl six { (run Q()) == 1 }
ltl seven { <> c!!1 }
