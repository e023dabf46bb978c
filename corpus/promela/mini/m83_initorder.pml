/* spin-counts: 9 0 9; errors 0 */
/* globals are set in source order; init/active get pids in source order; locals at creation */
byte a = 3; byte b = a + 1; byte seen;
active proctype Z() { byte l = b; seen = l * 10 + _pid }
init { byte l = a; (seen == 40) -> seen = l + _pid }
active proctype Y() { (seen == 4) -> seen = _pid }
