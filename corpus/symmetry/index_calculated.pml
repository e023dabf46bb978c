/* refused: used beside an index that is calculated */
byte n[3];
byte at;
active [2] proctype p() { do :: n[_pid] = 1 :: n[at + 1] == 1 -> n[_pid] = 0 od }
