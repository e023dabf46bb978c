/* hand-written claim: FG !p, i.e. violation of GF p

live: never never_0: violated violated violated
*/
bit p;
active proctype A() { do :: p = 1 - p :: p = 0; p = 0 od }
never {
T0: do
  :: true
  :: !p -> goto accept
  od;
accept: do :: !p od
}
