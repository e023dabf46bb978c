/* spin-counts: 34 16 50; errors 0 */
/* sender in atomic hands control to receiver in atomic; no state stored between */
chan c = [0] of { byte };
byte x;
active proctype S() { atomic { x = 1; c!7; x = 2; x = 3 } }
active proctype R() { byte v; atomic { c?v; x = 10; x = 11 }; x = 12 }
active proctype T() { x = 50 }
