/* refused: has not an element for each of them */
byte n[2];
active [3] proctype p() { do :: n[_pid] = 1 - n[_pid] od }
