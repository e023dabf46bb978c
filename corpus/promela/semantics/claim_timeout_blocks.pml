/* spin-counts: 2 0 2; errors 0 */
/* a claim that cannot move stops the system, timeout or not */
byte x;
active proctype P() { x = 1; timeout -> x = 2 }
never { do :: x == 0 :: x == 2 od }
