// run: --spin-counts | states 13 | matched 3 | errors residual 1 | warnings W0013 | exit 0
// run: --fail-on warning --engine reference | errors residual 1 | warnings W0013 | exit 6
// run: --spin-counts --queues-empty | states 13 | matched 3 | errors residual 1 | warnings none | exit 1
// run: --spin-counts --queues-empty --engine reference | states 13 | matched 3 | errors residual 1 | exit 1
/* Two ways to end: with the message taken, and with it left. With -q the second
   is an invalid end state. */
chan q = [2] of { byte };

active proctype Sender() { q!1; q!2 }

active proctype Receiver() {
	byte v;
	q?v;
	if
	:: q?v
	:: skip
	fi
}
