/* spin-counts: 857 1452 2309; errors 2 */
/* A run shorter than the one found leads through states that the search had no room for. */
byte g, h, w, v;
byte b[2];
proctype Child(byte p; byte unused)
{
	byte x, y;
	byte a[2];
	do
	:: x = y + x
	:: _last == 0 -> break
	od;
	do
	:: break
	od
}
active proctype Parent() { run Child(1, 2); w = 1; run Child(0, 1) }
active proctype A() provided (g != 2)
{
	byte x = 1, y, p;
	byte a[2];
	do
	:: y = _pid % 3; if :: b[h % 2] == (y == 1) fi
	od;
	if
	:: else
	fi
}
active proctype B()
{
	byte x = _pid, a[2];
	x = 0 % 3;
L:	x = x;
	if :: x = 0 -> skip fi
}
