/* spin-counts: 18 8 26; errors 2 */
/* The way through the atomic sequence has fewer steps, the other one fewer statements. */
byte x, y;
active proctype A()
{
	do
	:: atomic { x < 4 -> x++; y = 0; y = 1; y = 2 }
	:: x < 4 -> x++
	:: x == 4 -> assert(false)
	od
}
