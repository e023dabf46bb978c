/* spin-counts: 21 17 38; errors 0 */
/* only the youngest process can be removed */
active proctype A() { skip }
active proctype B() { skip; skip }
active proctype C() { skip }
