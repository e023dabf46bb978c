/* spin-counts: 4 1 5; errors 0 */
/* claim evaluated only between visible steps */
byte x;
active proctype P() { atomic { x = 1; x = 2; x = 3 }; x = 4 }
never { do :: x == 1 -> break :: x == 2 -> break :: else od }
