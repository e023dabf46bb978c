/* accept state reachable but only once: no cycle through it

live: no acceptance cycle: holds holds holds
*/
bit x;
active proctype A() {
  x = 1;
accept: x = 0;
  do :: x = 1 - x od
}
