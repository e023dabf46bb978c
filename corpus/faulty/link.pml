// run: --search auto | errors deadlock 1 | exit 1
/* A data link with numbered frames in both directions, acknowledgements that travel with
   data, polls and rejects, over lines that lose. The fault: everything is sent only while
   there is room for it but the answer to a poll, so two stations that answer at the same
   time wait for each other. */
#define M 4
mtype = { info, rej, rr, poll };
chan ab = [2] of { mtype, byte, byte };
chan ba = [2] of { mtype, byte, byte };

proctype station(chan in; chan out; bit first)
{   byte sent = 0, acked = 0, expected = 0, ns, nr, open = 0;
    bit polling = 0, rejected = 0;
    do
    :: open < 2 && nfull(out) ->
       out!info, sent, expected;
       sent = (sent + 1) % M;
       open++
    :: in?info, ns, nr ->
       if
       :: ns == expected -> expected = (expected + 1) % M; rejected = 0
       :: ns != expected && !rejected && nfull(out) -> rejected = 1; out!rej, 0, expected
       :: else
       fi;
       do
       :: acked != nr -> acked = (acked + 1) % M; open--
       :: else -> break
       od;
       assert(open <= 2)
    :: in?rej, ns, nr ->
       if
       :: polling -> polling = 0
       :: else ->
          do
          :: acked != nr -> acked = (acked + 1) % M; open--
          :: else -> break
          od
       fi;
       sent = nr;
       open = 0
    :: in?rr, ns, nr ->
       polling = 0;
       do
       :: acked != nr -> acked = (acked + 1) % M; open--
       :: else -> break
       od;
       assert(open <= 2)
    :: in?poll, ns, nr -> out!rr, 0, expected
    :: !polling && open > 0 && nfull(out) -> polling = 1; out!poll, 0, expected
    :: nempty(in) -> in?_, _, _      /* lost */
    od
}

init { atomic { run station(ab, ba, 0); run station(ba, ab, 1) } }
