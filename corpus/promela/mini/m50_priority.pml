/* spin-counts: 8 0 8; errors 0 */
byte x;
active proctype A() priority 5 { x = 1; x = 2 }
active proctype B() priority 2 { x = 3; set_priority(_pid, 9); x = 4 }
