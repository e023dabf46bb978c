/* spin-counts: 7 0 7; errors 3 */
/* a message with too many values, and a receive with too few */
chan q = [2] of { byte, byte }; chan r = [2] of { byte, byte, byte }; byte a;
active proctype P() { q!1,2,3; q?a,_; r!1; q!4,5; q?a }
