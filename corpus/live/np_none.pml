/* every cycle passes a progress label

live: no non-progress cycle: holds holds holds
*/
bit x;
active proctype A() {
  do
  :: x = 1;
progress: x = 0
  od
}
