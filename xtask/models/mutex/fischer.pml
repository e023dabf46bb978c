/*
 * Fischer's timed mutual exclusion for N processes, in discrete time: a process sets the
 * lock at most SET ticks after it has seen it free, and looks once more whether it is its own
 * after WAIT ticks, which are more. The clock ticks when nobody has to move before.
 * (Lamport, A Fast Mutual Exclusion Algorithm, 1987, section 2.) Processes are numbered from 1.
 */
#ifndef N
#define N	5
#endif
#define SET	1
#define WAIT	2
#define ME	(_pid + 1)
#define IDLE	255

byte lock;		/* who has set it, or nobody */
byte timer[N] = IDLE;	/* ticks that each process has left */
bool due[N];		/* it has to move before its time is over */
byte critical;

active [N] proctype process()
{
	do
	:: atomic { lock == 0 -> timer[_pid] = SET; due[_pid] = true };
	   atomic { lock = ME; due[_pid] = false; timer[_pid] = WAIT };
	   atomic { timer[_pid] == 0 -> timer[_pid] = IDLE };
	   if
	   :: lock == ME ->
		critical++;
		assert(critical == 1);
		critical--;
		lock = 0
	   :: lock != ME -> skip
	   fi
	od
}

active proctype clock()
{
	byte i;
	do
	:: d_step {
		/* nobody's time is over who has to move before */
		i = 0;
		do
		:: i < N && !(due[i] && timer[i] == 0) -> i++
		:: else -> break
		od;
		if
		:: i == N ->
			i = 0;
			do
			:: i < N ->
				if
				:: timer[i] != IDLE && timer[i] > 0 -> timer[i]--
				:: else
				fi;
				i++
			:: else -> break
			od
		:: else
		fi;
		i = 0
	   }
	od
}
