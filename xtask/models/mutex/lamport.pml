/*
 * Lamport's fast mutual exclusion for N processes: without contention, a process enters
 * by seven accesses, however many there are. (Lamport, A Fast Mutual Exclusion
 * Algorithm, 1987.) Processes are numbered from 1, for 0 is nobody.
 */
#ifndef N
#define N	3
#endif
#define ME	(_pid + 1)

byte x, y;
bool b[N];
byte critical;

active [N] proctype process()
{
	byte j;
start:
	b[_pid] = true;
	x = ME;
	if
	:: y != 0 -> b[_pid] = false; y == 0; goto start
	:: y == 0 -> skip
	fi;
	y = ME;
	if
	:: x == ME -> skip
	:: x != ME ->
		b[_pid] = false;
		j = 0;
		do
		:: j < N -> !b[j]; j++
		:: j == N -> break
		od;
		if
		:: y == ME -> skip
		:: y != ME -> y == 0; goto start
		fi
	fi;
	critical++;
	assert(critical == 1);
	critical--;
	y = 0;
	b[_pid] = false;
	goto start
}
