/* spin-counts: 6 0 6; errors 0 */
/* a declaration after a statement is itself an executed assignment */
byte g;
active proctype P() { byte a = 3; g = 1; byte b; byte c = 4; g = a + b + c }
