/* spin-counts: 8 1 9; errors 1 */
chan q = [1] of { chan, byte }; byte x;
active proctype S() { chan mine = [2] of { byte }; q!mine,1; mine?x; mine?x }
active proctype R() { chan c; byte b; q?c,b; c!b; c!b + 1; q?[c,_]; }
