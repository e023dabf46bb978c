/* refused: `step` is calculated with */
byte step[2] = { 1, 3 };
byte n;
active [2] proctype p() { do :: n = (n + step[_pid]) % 4 od }
