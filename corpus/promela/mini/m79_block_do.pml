/* spin-counts: 2116 2137 4253; errors 0 */
/* a { } block (or inline body) is a control point distinct from the do it starts with */
byte x;
active [2] proctype P() { { do :: x < 3 -> x++ :: x > 0 -> x-- :: x == 3 -> break od } }
