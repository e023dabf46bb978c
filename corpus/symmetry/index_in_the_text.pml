/* refused: used beside an index that is a number in the text */
byte n[2];
active [2] proctype p() { do :: n[_pid] = 1 :: n[0] == 1 -> n[_pid] = 0 od }
