/* refused: a remote reference looks into one process */
byte n;
active [2] proctype p() { do :: n = 1; busy: n = 0 od }
active proctype q() { do :: p[1]@busy -> skip od }
