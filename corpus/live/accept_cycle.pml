/* accept label visited infinitely often

live: no acceptance cycle: violated violated violated
*/
bit x;
active proctype A() {
  do
  :: x = 1;
accept: x = 0
  od
}
