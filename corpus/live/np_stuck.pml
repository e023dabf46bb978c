/* deadlock outside a progress label: not a cycle

live: no non-progress cycle: holds holds holds
*/
byte x; bit z;
active proctype A() {
progress: x = 1; z -> x = 2
}
