/* spin-counts: 9 0 9; errors 0 */
/* values are cut to field width on send, compared uncut on match */
chan q = [3] of { byte, bit, short };
byte v; bit b; short s;
active proctype P() { q!300,3,70000; q?v,b,s; assert(v == 44 && b == 1 && s == 4464); q!300,1,1; assert(q?[44,1,1]); if :: q?300,1,1 -> assert(false) :: q?44,1,1 -> skip fi }
