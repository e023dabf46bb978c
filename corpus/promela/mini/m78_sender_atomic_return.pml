/* spin-counts: 6 0 6; errors 0 */
/* after the receiver blocks in its atomic, control is free for all */
chan c = [0] of { byte };
byte x;
active proctype S() { atomic { c!1; x = x + 1; x = x + 2 } }
active proctype R() { byte v; atomic { c?v; x == 3 -> x = 20 } }
