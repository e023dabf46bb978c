/* spin-counts: 1 0 1; errors 1 */
chan c = [0] of { byte };
byte x;
active proctype P() { d_step { x = 1; c!1 } }
active proctype Q() { byte v; c?v }
