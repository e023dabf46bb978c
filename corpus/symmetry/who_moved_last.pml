/* refused: _last is read */
byte n;
active [2] proctype p() { do :: _last != _pid -> n = 1 - n :: n == 0 -> n = 1 od }
