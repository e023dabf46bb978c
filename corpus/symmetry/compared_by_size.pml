/* refused: _pid is compared by size */
byte turn;
active [2] proctype p() { do :: turn > _pid -> turn = 0 :: turn == 0 -> turn = 3 od }
