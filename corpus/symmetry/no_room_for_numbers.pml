/* refused: has no room for their numbers */
bit owner;
active [3] proctype p() { do :: owner = _pid :: owner == _pid -> skip od }
