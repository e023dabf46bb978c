/* spin-counts: 11 1 12; errors 0 */
/* runs of a new process inside atomic keep control with the creator */
byte x;
proctype K() { x = 100 }
init { atomic { run K(); x = 1; x = 2 }; x = 3 }
