/* expect: M0008@9:5 M0008@10:5 M0008@11:5 M0008@13:1 M0002@14:5 M0002@15:5 */
/* Formulas with names that are taken. */
mtype = { red, green };
byte x;
inline step() { x++ }
active proctype P()
{	step()
}
ltl red { [] (x < 4) }
ltl P { [] (x < 4) }
ltl step { [] (x < 4) }
ltl twice { [] (x < 4) }
ltl twice { <> (x == 1) }
ltl len { [] (x < 4) }
ltl true { [] (x < 4) }
ltl until { [] (x < 4) }
