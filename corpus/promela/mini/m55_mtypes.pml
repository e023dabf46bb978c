/* spin-counts: 8 0 8; errors 0 */
mtype = { a, b, c }; mtype:fruit = { appel, peer }; mtype x = c; mtype:fruit f;
chan q = [1] of { mtype, mtype:fruit };
active proctype P() { assert(c == 1 && a == 3 && appel == 2 && peer == 1); f = appel; q!x,f; q?c,f; printf("%e %d\n", x, f); printm(f) }
