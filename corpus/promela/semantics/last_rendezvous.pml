/* spin-counts: 18 4 22; errors 0 */
chan c = [0] of { byte }; byte x;
active proctype P() { c!1; x = _last; x = 5 }
active proctype Q() { byte v; c?v; x = _last }
