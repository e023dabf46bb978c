/* Two users take two locks in the same order: no deadlock, and one of them inside at most. */
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
		run user(left, right)
	}
}

// run: --all-errors --search exhaustive | states 8 | transitions 10 | errors none | exit 0
