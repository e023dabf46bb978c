/*
 * Peterson's filter lock for N processes: N - 1 waiting rooms, and in each of them
 * the last one to enter stays behind while anybody is in that room or further on.
 * (Peterson, Myths about the Mutual Exclusion Problem, 1981.)
 */
#ifndef N
#define N	4
#endif

byte room[N];		/* of each process; 0 outside */
byte last[N];		/* who entered each room last */
byte critical;

active [N] proctype process()
{
	byte k, j;
	do
	:: k = 1;
	   do
	   :: k < N ->
		room[_pid] = k;
		last[k] = _pid;
		j = 0;
		do
		:: j == N -> break
		:: j < N && j == _pid -> j++
		:: j < N && j != _pid ->
			(room[j] < k || last[k] != _pid);
			j++
		od;
		k++
	   :: else -> break
	   od;
	   critical++;
	   assert(critical == 1);
	   critical--;
	   room[_pid] = 0
	od
}
