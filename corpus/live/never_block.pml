/* claim blocks for good: no violation although it has an accept label

live: never never_0: holds holds holds
*/
byte x;
active proctype A() { do :: x = (x + 1) % 4 od }
never {
accept: do :: x < 3 od
}
