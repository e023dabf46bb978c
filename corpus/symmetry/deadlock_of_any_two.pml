/* symmetry: 4 taker; exit 1 */
/* Whoever holds one of two forks waits for the other one: any two of four block each other. */
byte left = 255, right = 255;
active [4] proctype taker() {
	do
	:: atomic { left == 255 -> left = _pid }; atomic { right == 255 -> right = _pid }; left = 255; right = 255
	:: atomic { right == 255 -> right = _pid }; atomic { left == 255 -> left = _pid }; right = 255; left = 255
	od
}
