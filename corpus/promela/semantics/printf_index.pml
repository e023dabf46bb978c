/* spin-counts: 5 0 5; errors 1 */
/* SPIN's verifier computes what a printf would print: a bad index there is an error. */
byte i = 2;
byte a[2];
active proctype P() {
    printf("%d\n", a[i]);
    i = 1;
    printf("%d\n", a[i])
}
