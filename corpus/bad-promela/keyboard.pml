/* expect: M0023@4:29 */
chan STDIN;
int c;
active proctype P() { do :: STDIN?c -> printf("%c", c) od }
