/* non-progress only by starving A

live: no non-progress cycle: violated holds holds
*/
bit x, y;
active proctype A() {
  do
  :: x = 1;
progress: x = 0
  od
}
active proctype B() { do :: y = 1 - y od }
