/* spin-counts: 25 7 32; errors 0 */
byte x;
proctype A(byte n) { x = n }
init { x = run A(3) + 1; x > 0; if :: run A(4) :: x = 9 fi }
