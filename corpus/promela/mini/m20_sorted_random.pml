/* spin-counts: 17 0 17; errors 0 */
chan q = [4] of { byte, byte };
byte a, b;
active proctype P() { q!!3,1; q!!1,2; q!!3,0; q!!2,9; q??3,b; assert(b == 0); q?a,b; assert(a == 1); q??[3,1]; q??a,1; assert(a == 3); q?<a,b>; assert(a == 2 && len(q) == 1); q?_,_; assert(empty(q)) }
