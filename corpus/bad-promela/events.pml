/* expect: M0032@4:27 M0032@4:42 M0032@5:1 */
chan q = [1] of { byte };
byte x;
trace { do :: q!1; q?1 :: x == 1; q!2 :: x = 2 od }
notrace { q!1 }
active proctype P() { q!1 }
