/* refused: the number of a channel is calculated */
chan c[2] = [1] of { byte };
byte n;
active [2] proctype p() { chan own; do :: n = 1 - n :: own = c[_pid] :: n == 2 -> own = 7 :: nempty(own) -> own?_ :: nfull(own) -> own!1 od }
