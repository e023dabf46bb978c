/* U: strong until needs its right side

live: ltl u1: holds holds holds
live: ltl u2: violated violated violated
live: ltl u3: holds holds holds
*/
byte x;
active proctype A() {
  do
  :: x < 3 -> x++
  :: x == 2 -> goto L
  :: x == 3 -> x = 5; x = 3
  od;
L: skip
}
ltl u1 { (x < 3) U (x >= 2) }
ltl u2 { (x < 3) U (x == 3) }
ltl u3 { (x < 3) W (x == 3) }
