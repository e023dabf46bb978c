/*
 * Anderson's array lock for N processes: each takes the next slot of a ring and waits until it
 * is its turn there; who leaves passes the turn on to the next slot. (Anderson, The Performance
 * of Spin Lock Alternatives for Shared-Memory Multiprocessors, 1990.)
 */
#ifndef N
#define N	5
#endif

bool turn[N];		/* whoever took this slot may enter */
byte next;		/* the slot that is given out next */
byte critical;

active [N] proctype process()
{
	byte slot;
	do
	:: d_step { slot = next; next = (next + 1) % N };
	   (turn[slot]);
	   turn[slot] = false;
	   critical++;
	   assert(critical == 1);
	   critical--;
	   turn[(slot + 1) % N] = true
	od
}

init
{
	turn[0] = true
}
