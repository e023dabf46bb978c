// run: --spin-counts | states 115 | matched 74 | exit 1
// run: --spin-counts --lossy | states 102 | matched 73 | errors none | exit 0
// run: --spin-counts --lossy --engine reference | states 102 | matched 73 | exit 0
/* A send to a full channel: waits, or with -m loses its message. Also through a
   sorted send, in an atomic sequence, beside `else`, and seen by a trace. */
mtype = { a, b, c };
chan q = [1] of { mtype };
chan s = [2] of { byte, byte };
byte lost;

active proctype Sender() {
	q!a; q!b;
	atomic { s!!3,1; s!!1,2; s!!2,3; lost++ };
	if
	:: q!c -> lost++
	:: else -> lost = 9
	fi
}

active proctype Receiver() {
	mtype m; byte x, y;
	do
	:: q?m
	:: s?x,y -> assert(x != 2)
	:: timeout -> break
	od
}
