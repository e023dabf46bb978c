/* SPIN 0/0/0, ? errors, SPIN: the verifier is killed; argos 2/0/2, 1 errors (division-by-zero), argos: INCOMPLETE (cut) */
/* A division by zero kills SPIN's verifier without a word. */
byte x;
init {
    x = 1;
    x = 6 / (x - 1)
}
