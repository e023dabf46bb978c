/* G: bounded counter

live: ltl ok: holds holds holds
live: ltl bad: violated violated violated
*/
byte x;
active proctype A() { do :: x = (x+1)%3 od }
ltl ok  { [] (x < 3) }
ltl bad { [] (x < 2) }
