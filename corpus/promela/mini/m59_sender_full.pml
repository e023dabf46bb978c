/* spin-counts: 28 7 35; errors 1 */
chan q = [1] of { byte };
byte x;
active proctype S() { do :: nfull(q) -> q!1 :: full(q) -> x = 1; break od }
active proctype R() { byte v; q?v; q?v }
