/* spin-counts: 27 4 31; errors 0 */
/* with -DNOCOMP: else SPIN's compression drops the priority from the state, 19 5 24 */
byte x;
active proctype P() priority 2 { x = 1; set_priority(_pid, 1); x = 2; x = get_priority(1) }
active proctype Q() priority 2 { x = 3; set_priority(0, 5); x = _priority; x = 4 }
