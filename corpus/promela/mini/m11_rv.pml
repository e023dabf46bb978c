/* spin-counts: 3 0 3; errors 1 */
chan c = [0] of { byte, bit };
byte got;
active proctype S() { c!300,1; c!2,0 }
active proctype R() { byte v; bit b; c?v,b; got = v; c?v,eval(b); got = v }
