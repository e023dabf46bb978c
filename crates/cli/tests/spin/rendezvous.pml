/* rendezvous inside atomic, both ways, and a client nobody serves in the end */
mtype = { get, put };
chan c[2] = [0] of { mtype, byte };
byte served;
active [2] proctype Client() {
    byte v = _pid;
    atomic { c[_pid]!get,v; v = v + 10; served++ }
    printf("client %d has %d\n", _pid, v);
    c[_pid]!put,v
}
active proctype Server() {
    byte w;
    do
    :: atomic { c[0]?get,w -> w = w + 1 }
    :: c[1]?get,w -> w = 0
    :: c[0]?put,w
    od
}
