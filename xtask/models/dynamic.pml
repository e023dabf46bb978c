/*
 * Jobs that come and go. Two dispatchers take numbers from a counter modulo JOBS and start a
 * worker for each, as long as there are fewer than MOST; a worker computes, writes its result
 * into a bounded channel and dies; a collector adds the results up. The numbers of
 * processes are used again and again.
 */
#define JOBS	5
#define MOST	3
#define STEPS	3
#define FIRST	3	/* the processes that stay */

byte next;
chan results = [2] of { byte, byte };

proctype worker(byte job)
{
	byte step, value;
	do
	:: step < STEPS -> step++; value = value + job
	:: step == STEPS -> break
	od;
	results!job, value
}

active [2] proctype dispatcher()
{
	byte job;
	do
	:: atomic { _nr_pr < FIRST + MOST -> job = next; next = (next + 1) % JOBS; run worker(job); job = 0 }
	od
}

active proctype collector()
{
	byte job, value, sum;
	do
	:: results?job, value ->
	   assert(value == job * STEPS);
	   sum = (sum + value) % 7
	od
}
