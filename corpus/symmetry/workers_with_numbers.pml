/* symmetry: 6 worker; exit 0 */
/* Who has the lock is known by pid; each works a while, and the master collects. */
byte owner = 255, done;
chan work = [2] of { byte };
active [6] proctype worker() {
	byte task;
again:	atomic { owner == 255 -> owner = _pid };
	assert(owner == _pid);
	owner = 255;
	work!_pid;
	goto again
}
active proctype master() { byte who; do :: work?who od }
