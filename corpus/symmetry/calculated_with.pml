/* refused: _pid is calculated with */
byte n;
active [2] proctype p() { byte x; do :: x = (_pid + 1) % 2; n = x od }
