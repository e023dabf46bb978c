/* spin-counts: 2 0 2; errors 1 */
/* The claim reaches its end in the first of the two moves it makes before a state in
   which nobody else moves is looked up. */
byte x;
active proctype P() {
    x = 2;
    x == 1
}
never {
    x == 0;
    x == 2
}
