/* while the first process counts to itself no timeout is enabled: weak fairness does not
   help the second one; strong does

live: ltl served: violated violated holds
*/
bool served;
active proctype first() {
  byte mine;
  do
  :: timeout; mine = 1
  od
}
active proctype second() {
  timeout;
  served = true
}
ltl served { <> served }
