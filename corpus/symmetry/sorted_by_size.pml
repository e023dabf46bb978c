/* refused: messages that are sorted by size */
chan c = [2] of { byte };
active [2] proctype p() { do :: c!!_pid :: c?_ od }
