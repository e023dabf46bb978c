/* spin-counts: 7 0 7; errors 0 */
/* an index further right sees what came in further left */
chan q = [1] of { byte, byte }; byte i, a[3];
active proctype P() { q!2,9; q?i,a[i]; a[i]--; q!i,a[i]; q?eval(i),a[0] }
