/* spin-counts: 2 0 2; errors 2 */
/* channel variable never initialised */
chan c; chan d = [1] of { byte }; byte x;
active proctype P() { x = 1; c!1; x = 2 }
