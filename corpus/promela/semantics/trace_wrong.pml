/* spin-counts: 13 0 13; errors 5 */
chan a = [1] of { byte };
active proctype S() { if :: a!1 :: a!2 fi; a!3 }
active proctype R() { byte v; a?v; a?v }
trace { a!1; a?_; a!3 }
