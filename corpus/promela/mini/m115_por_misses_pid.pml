/* spin-counts: 11 4 15; errors 2 */
/* QUIRK (issue 78): default reduction misses this assertion violation; NOREDUCE finds it */
init { run f() }
active proctype f() { assert(_pid == 1) }
