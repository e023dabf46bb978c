/* refused: they keep different values from the beginning on */
byte n;
proctype p(byte a; byte b) { do :: n = (n + a) % 4; n = (n + b) % 4 od }
init { atomic { run p(1, 1); run p(1, 2); run p(2, 1); run p(2, 2) } }
