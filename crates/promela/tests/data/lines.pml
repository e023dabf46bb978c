/* separators left out, as the lexer of SPIN puts them in */
byte x, y
chan q = [1] of { byte }
active proctype newlines()
{
	byte a
	byte b = 2
	x = a
	(x == 0)
	if
	:: x == 1 ->
		y = 1
		x++
	:: x == 2
		-> y = 2
	:: else
		break_it:
		y = 3
	fi
	do
	:: x < 3 -> x++
	   q!x
	:: else break
	od
	{ x = 1 }
	{ x = 2 } x = 3
	atomic { x = 4; x = 5; };
	x = -1
	-x
	!x;;
	q?x -> ; y = 1
}
