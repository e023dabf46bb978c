/* expect: M0034@3:30 M0034@3:73 */
byte x;
active proctype P() { printf("%d %d\n", x); printf("%d%%\n", x); printf("%e"); printf("\q", x) }
