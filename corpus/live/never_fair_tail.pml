/* hand-written GF claim on a terminating system: violation of FG(n==1)

live: never never_0: violated violated violated
*/
byte n;
active proctype P() { n = 1 }
active proctype Q() { n = 2 }
never {
  do
  :: true
  :: n != 1 ->
accept: skip
  od
}
