/* spin-counts: 19 2 21; errors 0 */
chan q[2] = [1] of { byte };
byte x;
active proctype S() { q[0]!1; q[1]!2 }
active proctype R() { byte v; do :: q[0]?v -> x = v :: q[1]?v -> x = v + 10 :: timeout -> break od }
