channel c[0];
proc q { c!m; c?m }
