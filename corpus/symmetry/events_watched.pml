/* refused: an event trace watches the program */
chan c = [1] of { bit };
active [2] proctype p() { do :: c!1; c?_ od }
trace { do :: c!1; c?1 od }
