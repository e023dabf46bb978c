/* spin-counts: 14 4 18; errors 1 */
byte dn;
active proctype A() { byte v = 3; v = 4; L: v = 5; v = 6 }
active proctype B() { (A[0]@L && A[0]:v == 4) -> dn = 1 }
