/* between two receptions the server does something of its own, and cannot be sent to: who
   waits is not always able to move, and weak fairness does not help it; strong does

live: ltl served: violated violated holds
*/
chan c = [0] of { byte };
bool served;
active proctype server() {
  byte x, last;
  do
  :: c?x; last = x
  od
}
active proctype busy() {
  do
  :: c!1
  od
}
active proctype waiting() {
  c!2;
  served = true
}
ltl served { <> served }
