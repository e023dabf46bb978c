/* expect: M0022@2:1 */
c_decl { typedef struct { int x; } point; }
c_state "int y" "Global"
byte x;
active proctype P() {
    c_code { now.x = 1; };
    if :: c_expr { now.x > 0 } -> x = 2 :: else fi;
    c_code [x > 0] { now.x++; }
}
