// run: --fail-on vacuous | errors residual 2 | unused receive:maybe, receive:stop | gates vacuous failed | exit 6
// run: --fail-on vacuous --reduce none | unused receive:maybe, receive:stop | exit 6
/* `go` is received, `stop` and `maybe` never are. Whether `wait` is sent is for a variable to say,
   so nothing is said of it. */
mtype = { go, wait, stop, maybe };
chan named = [1] of { mtype };
chan open = [1] of { byte, mtype };

active proctype Sender() {
	mtype which = go;
	named!go; named!stop;
	if
	:: open!1,which
	:: open!2,maybe
	fi
}

active proctype Receiver() {
	named?go
}
