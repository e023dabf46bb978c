/* spin-counts: 11 2 13; errors 0 */
chan a = [1] of { byte }; chan b = [1] of { byte };
active proctype S() { a!1; b!1; a!2 }
active proctype R() { byte v; a?v; b?v; a?v }
trace { a!1; a?1; a!2; a?2 }
