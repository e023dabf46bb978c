/* spin-counts: 11 0 11; errors 2 */
/* Of a send in a trace only constants must agree: `_`, variables and sums stand for anything. */
chan a = [1] of { byte, byte };
byte v = 9;
active proctype S() { a!1,2; a!3,4; a!5,6; if :: a!7,8 :: a!8,7 fi }
active proctype R() { byte x; end: do :: a?x,_ od }
trace { a!_,2; a!3,_; a!v,1 + 1; a!7,_ }
