/* spin-counts: none, refused: unconditional self-loop */
byte x;
active proctype P() { do :: true od }
active proctype Q() { x = 1 }
