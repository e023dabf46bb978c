/* refused: needs the packed form of a model */
byte n;
active [2] proctype p() provided (n < 3) { do :: enabled(_pid) -> n = 1 - n od }
