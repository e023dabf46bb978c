/* spin-counts: 6 0 6; errors 0 */
/* parameter values are cut to the parameter's type; later locals may use earlier ones */
byte r;
proctype K(byte v; bit b; short s) { byte t = v + b; r = t; assert(v == 44 && b == 1 && s == 4464) }
init { run K(300, 3, 70000) }
