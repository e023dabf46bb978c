/* Two processes send to each other before they receive: blocked sends. */
chan a = [2] of { byte };
chan b = [2] of { byte };

active proctype left()
{
	byte n, x;

	do
	:: n < 3 -> a!n; n++
	:: n == 3 -> break
	od;
	b?x
}

active proctype right()
{
	byte n, x;

	do
	:: n < 3 -> b!n; n++
	:: else -> break
	od;
	a?x
}

// run: --all-errors --search exhaustive | states 36 | transitions 61 | errors deadlock 1 | exit 1
