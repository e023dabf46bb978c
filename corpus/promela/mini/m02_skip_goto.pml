/* spin-counts: 6 0 6; errors 0 */
/* skip is a step; a goto after a statement is folded away */
byte x;
active proctype P() { x = 1; skip; goto L1; x = 9; L1: x = 2; goto L2; L2: skip }
