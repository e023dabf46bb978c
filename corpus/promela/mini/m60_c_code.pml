/* spin-counts: 5 0 5; errors 0 */
c_decl { typedef struct { int n; } Z; };
c_state "Z z" "Global"
byte x;
active proctype P() { c_code { now.z.n = 3; now.x = now.z.n; }; c_expr { now.z.n == 3 } -> x = 9 }
