/* expect: M0007@5:23 M0007@5:31 M0007@5:47 */
#define SET(v) v = nope
byte x;
inline twice(a) { a = 1; a = oops }
active proctype P() { SET(x); twice(x); twice(undeclared) }
