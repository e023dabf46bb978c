/*
 * Szymanski's mutual exclusion for N processes, by a waiting room with two doors: who wants to
 * enter comes in while the first door is open; the last one closes it and opens the
 * second, and all inside go through in the order of their numbers. (Szymanski, A Simple
 * Solution to Lamport's Concurrent Programming Problem with Linear Wait, 1988.)
 */
#ifndef N
#define N	3
#endif

byte flag[N];	/* 0 outside, 1 wants to enter, 2 waits for others, 3 in the doorway, 4 inside */
byte critical;

active [N] proctype process()
{
	byte j;
	do
	:: flag[_pid] = 1;
	   /* the first door is open */
	   j = 0;
	   do
	   :: j < N -> flag[j] < 3; j++
	   :: j == N -> break
	   od;
	   flag[_pid] = 3;
	   /* somebody else wants to enter: let him in */
	   j = 0;
	   do
	   :: j < N && flag[j] != 1 -> j++
	   :: j < N && flag[j] == 1 ->
		flag[_pid] = 2;
		j = 0;
		do
		:: flag[j] == 4 -> break
		:: flag[j] != 4 -> j = (j + 1) % N
		od;
		break
	   :: j == N -> break
	   od;
	   flag[_pid] = 4;
	   /* those with smaller numbers go first */
	   j = 0;
	   do
	   :: j < _pid -> flag[j] < 2; j++
	   :: j == _pid -> break
	   od;
	   critical++;
	   assert(critical == 1);
	   critical--;
	   /* nobody is in the doorway any more */
	   j = _pid + 1;
	   do
	   :: j < N -> (flag[j] < 2 || flag[j] > 3); j++
	   :: j >= N -> break
	   od;
	   flag[_pid] = 0
	od
}
