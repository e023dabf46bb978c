/* no claim: halting in an accept state (accept stutter)

live: no acceptance cycle: violated violated violated
*/
bit x, z;
active proctype A() {
  x = 1;
accept: z -> x = 0
}
