/* spin-counts: 3 0 3; errors 0 */
/* blocked at an end-labelled send with a non-empty channel: fine unless pan -q */
chan c = [2] of { byte };
active proctype S() { c!1; c!2; endS: c!3 }
