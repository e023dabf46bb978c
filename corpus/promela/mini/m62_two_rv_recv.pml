/* spin-counts: 6 0 6; errors 2 */
chan c = [0] of { byte };
byte x;
active proctype S() { c!1 }
active [2] proctype R() { byte v; c?v; x = _pid }
