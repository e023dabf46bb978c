/* spin-counts: 16 10 26; errors 0 */
/* control goes from hand to hand */
chan c = [0] of { byte }; chan d = [0] of { byte }; byte x, y;
active proctype P() { atomic { x = 1; c!1; x = 2; x = 3 } }
active proctype Q() { byte v; atomic { c?v; y = 1; d!2; y = 2 }; y = 3 }
active proctype R() { byte w; atomic { d?w; x = 5; y = 5 } }
