/* symmetry: 3 node; exit 1 */
/* A variable that names another process: a ring that each orders in a different way. */
byte next[3] = 255;
byte last = 255;
active [3] proctype node() {
	last != _pid -> next[_pid] = last; last = _pid;
	(next[_pid] != 255) -> assert(next[next[_pid]] != _pid || last == _pid)
}
