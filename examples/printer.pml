/* Two clerks share a printer. Nobody prints while the other does, but is everybody
   served in the end?

   Type    argos check examples/printer.pml
   VIOLATED: the second clerk prints for ever, and the first one waits. Weak fairness does not
   help, for the first clerk cannot move while the printer is busy; strong fairness does:
           argos check examples/printer.pml --fair strong
*/

// run: check | verdict VIOLATED | errors ltl | exit 1
// run: check --fair weak | verdict VIOLATED | errors ltl | exit 1
// run: check --fair strong | verdict HOLDS | errors none | exit 0

bool busy;

active [2] proctype clerk()
{
waiting:
	do
	:: atomic { !busy -> busy = true };
printing:
	   busy = false
	od
}

ltl exclusive { [] !(clerk[0]@printing && clerk[1]@printing) }
ltl served    { [] <> clerk[0]@printing }
