/* spin-counts: 5 0 5; errors 1 */
/* too few fields in send: zero filled; */
chan q = [2] of { byte, byte };
byte a, b;
active proctype P() { q!5; q?a,b; assert(a == 5 && b == 0) }
