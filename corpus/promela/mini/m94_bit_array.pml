/* spin-counts: 16 0 16; errors 0 */
/* QUIRK: elements of a bit ARRAY are stored in a byte and not cut to one bit by pan */
bit f[4]; byte i;
active proctype P() { do :: i < 4 -> f[i] = i; i++ :: else -> break od; assert(f[0] == 0 && f[1] == 1 && f[2] == 2 && f[3] == 3) }
