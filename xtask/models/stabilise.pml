/*
 * Self-stabilisation with K states (Dijkstra 1974): cells in a ring, each of which
 * sees its left neighbour. The first is privileged while it equals the last, every
 * other one while it differs from its neighbour. Whatever the cells contain at
 * first, and whoever moves, there is in the end one privilege, and it stays one.
 * There are K to the power of N contents.
 */
#define N	7
#define K	8

byte x[N];
bool ready;

#define privileges	((x[0] == x[6]) + (x[1] != x[0]) + (x[2] != x[1]) + (x[3] != x[2]) \
			 + (x[4] != x[3]) + (x[5] != x[4]) + (x[6] != x[5]))

active [N] proctype cell()
{
	do
	:: atomic { ready && _pid == 0 && x[0] == x[N - 1] -> x[0] = (x[0] + 1) % K }
	:: atomic { ready && _pid > 0 && x[_pid] != x[_pid - 1] -> x[_pid] = x[_pid - 1] }
	od
}

/* Something has gone wrong before: any contents. */
active proctype fault()
{
	byte i, value;
	do
	:: atomic { i < N -> select (value : 0 .. K - 1); x[i] = value; value = 0; i++ }
	:: atomic { i == N -> ready = true; break }
	od
}

ltl stable	{ <>[] (privileges == 1) }
ltl turns	{ []<> (x[0] == 0) -> []<> (x[6] == 0) }
