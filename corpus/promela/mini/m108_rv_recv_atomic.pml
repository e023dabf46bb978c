/* spin-counts: 6 1 7; errors 0 */
/* receiver in atomic, sender not: control moves to receiver without a stored state */
chan c = [0] of { byte };
byte x;
active proctype S() { c!1; x = 1 }
active proctype R() { byte v; atomic { c?v; x = 7; x = x + v } }
