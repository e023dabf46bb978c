/* spin-counts: 11 1 12; errors 0 */
/* two channels swapped through a chan-typed message; identity = creation order */
chan a = [1] of { byte }; chan b = [1] of { byte }; chan m = [1] of { chan, byte };
active proctype P() { m!a,1; m!b,2 }
active proctype Q() { chan t; byte n; m?t,n; t!n; m?t,n; t!n; assert(len(a) == 1 && len(b) == 1) }
