/* spin-counts: 10 4 14; errors 2 */
/* both escapes could take the offer: the outer one does */
chan r = [0] of { byte }; chan q = [1] of { byte, byte }; byte x, y;
active proctype P() { byte v; { { skip } unless { r?v; q!!2,1 }; x = 1 } unless { r?v; q??x,_ } }
active proctype Q() { q!!1,1; r!2; y = 1; r!3 }
