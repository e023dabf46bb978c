/* refused: _pid is taken as a truth value */
byte n;
active [2] proctype p() { do :: _pid -> n = 1 - n :: n -> n = 0 od }
