/* refused: _pid is compared with, or set to, a number in the text */
byte owner = 255;
active [2] proctype p() { do :: owner == 255 -> owner = _pid :: owner == 1 -> owner = 255 od }
