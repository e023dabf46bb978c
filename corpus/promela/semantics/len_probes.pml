/* spin-counts: 50 20 70; errors 2 */
chan q = [2] of { byte }; byte x;
active proctype P() { do :: nfull(q) -> q!1 :: full(q) -> x = len(q); break od; do :: nempty(q) -> q?_ :: empty(q) -> break od }
active proctype Q() { q?x }
