/* refused: _nr_pr is read while they may end one after the other */
byte n;
active proctype watch() { (_nr_pr == 2) -> n = 1 }
active [2] proctype p() { n = 1 - n }
