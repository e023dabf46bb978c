/* spin-counts: 10 1 11; errors 1 */
chan a = [1] of { byte };
active proctype S() { if :: a!1 :: a!2 fi; a!3 }
active proctype R() { byte v; a?v; a?v }
notrace { a!1; a?1; a!3 }
