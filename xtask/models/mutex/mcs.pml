/*
 * The queue lock of Mellor-Crummey and Scott for N processes: who comes swaps itself into
 * the tail and waits to be woken by whoever was there; who leaves wakes its successor, or takes
 * itself out of the tail if there is none. (Mellor-Crummey and Scott, Algorithms for Scalable
 * Synchronization on Shared-Memory Multiprocessors, 1991.) Processes are numbered from 1.
 */
#ifndef N
#define N	4
#endif
#define ME	(_pid + 1)

byte tail;		/* the last in the queue, or nobody */
byte next[N + 1];	/* of each process, who waits behind it */
bool locked[N + 1];
byte critical;

active [N] proctype process()
{
	byte before;
	do
	:: next[ME] = 0;
	   d_step { before = tail; tail = ME };
	   if
	   :: before != 0 ->
		locked[ME] = true;
		next[before] = ME;
		!locked[ME]
	   :: before == 0 -> skip
	   fi;
	   before = 0;
	   critical++;
	   assert(critical == 1);
	   critical--;
	   if
	   :: next[ME] == 0 ->
		if
		:: atomic { tail == ME -> tail = 0 }
		:: atomic { tail != ME -> skip };
			next[ME] != 0;
			locked[next[ME]] = false
		fi
	   :: next[ME] != 0 -> locked[next[ME]] = false
	   fi
	od
}
