/* spin-counts: 11 0 11; errors 0 */
byte x; bool stop;
active proctype A() { do :: x < 2 -> x++ :: timeout -> stop = 1; break od }
active proctype B() { stop -> x = 9 }
