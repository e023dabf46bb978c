/* spin-counts: 7 1 8; errors 0 */
chan c = [1] of { byte };
active proctype S() { c!1; c!2 }
active proctype R() { byte v; c?v }
