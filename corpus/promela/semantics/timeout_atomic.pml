/* spin-counts: 11 2 13; errors 0 */
/* two timeouts in a row inside atomic */
byte x;
active proctype P() { atomic { x = 1; timeout; x = 2; timeout; x = 3; x = 4 } }
active proctype Q() { x = 7 }
