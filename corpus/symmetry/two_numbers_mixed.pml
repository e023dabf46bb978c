/* refused: two different numbers of one process are mixed */
byte owner;
proctype p(byte me) { do :: owner = _pid :: owner == me -> owner = 255 od }
init { atomic { run p(2); run p(1) } }
