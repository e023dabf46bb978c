/* spin-counts: 2 2 4; errors 0 */
/* no process mentions timeout: the claim never sees one */
byte x;
active proctype P() { x = 1; x == 2 }
never { do :: x == 0 :: timeout -> break :: skip od }
