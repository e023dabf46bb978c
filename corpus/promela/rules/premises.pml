// run: --fail-on vacuous | errors none | unused ltl:ltl idle, ltl:ltl nested, send:nak | gates vacuous failed | exit 6
// run: --fail-on vacuous --fair strong | errors none | unused ltl:ltl idle, ltl:ltl nested, send:nak | exit 6
// run: --fail-on vacuous --plain --engine reference | unused ltl:ltl idle, ltl:ltl nested, send:nak | exit 6
// run: --fail-on cover,warning --invariant true | gates warning passed, cover passed | exit 0
// run: --fail-on vacuous,unreached --depth 3 | unused none | gates unreached unknown, vacuous unknown | exit 4
// run: --fail-on vacuous --only used | unused none | gates vacuous unknown | exit 4
// run: --fail-on vacuous --store bitstate | unused none | gates vacuous unknown | exit 4
/* Formulas that hold because what they ask for never occurs, and a message that
   nobody ever sends: `r` is never set. */
mtype = { req, ack, nak };
chan c = [1] of { mtype };
chan d = [1] of { mtype };
bool p, q, r;

active proctype A() {
	do
	:: c!req; p = 1;
	   if
	   :: d?ack
	   :: d?nak
	   fi;
	   p = 0
	od
}

active proctype B() {
	do
	:: c?req; q = 1; d!ack; q = 0
	:: r -> d!nak
	od
}

ltl used { [](p -> <>!p) }
ltl idle { [](r -> <>q) }
ltl nested { [](p -> (r -> q)) }
ltl without { []!r }
