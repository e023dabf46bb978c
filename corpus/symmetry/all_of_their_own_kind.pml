/* refused: no two processes are alike */
byte n;
active proctype p() { do :: n = 1 - n od }
active proctype q() { do :: n = 0 od }
