/* Both sides may hang up: a `hangup` meets a side that waits for data, which it does not
   know. An unspecified reception. */
mtype = { data, hangup };
chan a = [2] of { mtype };
chan b = [2] of { mtype };

active proctype caller()
{
	do
	:: b!data; a?data
	:: b!hangup -> break
	od
}

active proctype called()
{
	do
	:: b?data -> a!data
	:: a!hangup; b?hangup -> break
	od
}

// run: --all-errors --search exhaustive | states 12 | transitions 16 | errors deadlock 1, residual 1 | exit 1
