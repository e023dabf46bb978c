/* Two users take two locks in different orders: a deadlock by rendezvous. */
mtype = { take, give };
chan left = [0] of { mtype };
chan right = [0] of { mtype };

proctype lock(chan door)
{
end:	do
	:: door?take -> door?give
	od
}

proctype user(chan first; chan second)
{
	do
	:: first!take; second!take;
inside:		second!give; first!give
	od
}

init
{
	atomic {
		run lock(left);
		run lock(right);
		run user(left, right);
		run user(right, left)
	}
}

// run: --all-errors --search exhaustive | states 11 | transitions 16 | errors deadlock 1 | exit 1
