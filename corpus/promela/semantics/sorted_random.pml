/* spin-counts: 8 0 8; errors 1 */
chan q = [4] of { byte, short }; byte x; short y;
active proctype P() { q!!3,1; q!!300,2; q!!3,-1; q!!1,7; q??x,eval(2); q?<x,y>; q??3,y; q??[3,-1]; q?x,y; q?x,y }
