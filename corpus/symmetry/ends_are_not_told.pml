/* symmetry: 3 job; exit 0 */
/* Those that end free their numbers, which nobody gets again. */
byte n;
active [3] proctype job() { n++; n = n % 3 }
