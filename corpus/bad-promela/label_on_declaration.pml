/* expect: M0019@5:5 */
byte x;
active proctype P() {
    x = 1;
A:  byte z;
    x = 2
}
