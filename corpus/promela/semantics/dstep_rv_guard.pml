/* spin-counts: 3 0 3; errors 1 */
/* a rendezvous receive may open a d_step */
chan c = [0] of { byte }; byte x, y;
active proctype P() { d_step { c?x; y = x + 1; x = 0 }; y = 9 }
active proctype Q() { c!3; c!4 }
