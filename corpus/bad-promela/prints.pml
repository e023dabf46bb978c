/* expect: N0017@3:30 N0017@3:73 */
byte x;
active proctype P() { printf("%d %d\n", x); printf("%d%%\n", x); printf("%e"); printf("\q", x) }
