/* spin-counts: 40 12 52; errors 0 */
/* run without a priority gives 1 whatever the proctype says */
byte x;
proctype P(byte n) priority 4 { x = n; x = n + 1 }
init { run P(1); run P(3) priority 2; x = 7; x = 8 }
