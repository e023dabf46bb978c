/* spin-counts: 8 2 10; errors 0 */
/* an offer as escape counts only if it is taken; an enabled escape does not stop a receiver */
chan c = [0] of { byte }; chan d = [0] of { byte }; byte x, y;
active proctype P() { { x = 1; x = 2; d?x; x = 3 } unless { c!5; x = 9 } }
active proctype Q() { if :: c?y :: d!6 fi; y = 2 }
