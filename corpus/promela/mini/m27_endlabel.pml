/* spin-counts: 5 0 5; errors 0 */
chan c = [1] of { byte };
active proctype S() { c!1; c!2 }
active proctype R() { byte v; end: do :: c?v od }
