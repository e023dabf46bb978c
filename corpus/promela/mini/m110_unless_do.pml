/* spin-counts: 27 15 42; errors 0 */
/* unless whose main part is a do loop; escape after loop start; break target */
byte x, e;
active proctype P() { do :: x < 2 -> x++ :: x == 2 -> x = 0 od unless { e == 1 }; x = 9 }
active proctype Q() { e = 1 }
