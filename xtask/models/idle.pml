/*
 * Five counters beside N servers that nobody asks: each waits for a request on a channel of its
 * own. What happens in a state concerns the counters only, however many servers there are.
 */
#define N	240
#define TURNS	3

chan request[N + 5] = [1] of { byte };
byte shared;

active [5] proctype counter()
{
	byte turn;
	do
	:: turn < TURNS -> turn++; shared = (shared + 1) % 3
	:: turn == TURNS -> turn = 0
	od
}

active [N] proctype server()
{
	byte what, sum;
	do
	:: request[_pid]?what -> sum = sum + what
	:: sum > 9 -> sum = 0
	od
}
