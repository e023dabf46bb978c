// run: --spin-counts | states 47 | matched 24 | errors none | exit 0
// run: --spin-counts --inner-unless | states 37 | matched 19 | exit 1
// run: --spin-counts --inner-unless --engine reference | states 37 | matched 19 | exit 1
// run: --inner-unless | errors assertion 1 | exit 1
/* Both escapes become possible at the same moment: the outermost goes first, with
   `pan -J` the innermost. */
byte x; bool go;

active proctype P() {
	{
		{ do :: x < 3 -> x++ :: x == 3 -> x = 0 od } unless { d_step { go -> x = 10 } }
	} unless { go -> x = 20; x = 21 };
	assert(x != 10)
}

active proctype Q() { x == 2; go = true }
