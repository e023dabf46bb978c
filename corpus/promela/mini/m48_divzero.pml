/* spin-counts: none, the verifier is killed by the division */
byte a, b;
active proctype P() { a = 4; a = a / b; b = 1 }
