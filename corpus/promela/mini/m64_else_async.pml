/* spin-counts: 14 3 17; errors 0 */
chan c = [1] of { byte };
byte x;
active proctype S() { c!1 }
active proctype R() { byte v; do :: c?v -> break :: else -> x = 1 - x od }
