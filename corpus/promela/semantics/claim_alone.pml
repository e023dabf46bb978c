/* spin-counts: 8 3 11; errors 8 */
/* the claim goes on alone, ends alone and dies */
byte x;
active proctype P() provided (x != 1) { x = 0; x = 2 }
never { do :: skip :: (x != 1) -> break :: timeout od }
