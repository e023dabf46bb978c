/* spin-counts: 23 2 25; errors 0 */
chan up = [1] of { chan };
byte r;
proctype C() { chan me = [1] of { byte }; up!me; me?r }
init { chan x; run C(); up?x; x!7; r == 7; run C(); up?x; x!8 }
