/* spin-counts: 1 1 2; errors 0 */
/* The only `timeout` of a process is where nobody comes: the claim has its timeout all
   the same. */
chan r = [0] of { byte };
active proctype P() {
    do
    :: r!1
    od;
    timeout
}
never {
    do
    :: timeout
    od
}
