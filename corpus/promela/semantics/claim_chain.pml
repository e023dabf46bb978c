/* spin-counts: 6 1 7; errors 0 */
/* a chain of claim moves while the system stands still */
byte x;
active proctype P() { x = 1; x == 2 }
never { x == 0; x == 1; x < 3; x < 4; x < 5; x < 6; do :: x == 1 od }
