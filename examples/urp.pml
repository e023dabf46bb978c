/* The universal receiver protocol, after Fraser and Marshall (1989): blocks with
   sequence numbers modulo 8, block acknowledgements, and a receiver that says what
   it has got whenever it is asked.

   A stand-in. The 1995 paper measured a model called URP that was not printed (15,378
   states, depth 202); this one was written from the description of the protocol, and
   bounded so that it has about that size: three blocks, of which one cell may be lost.
   A block is one data cell and a trailer, BOT, with its number. The receiver answers a
   good block with ECHO, a bad one with REJ and the number of the last good one; the
   sender goes back there. When nothing moves the sender asks, ENQ, and is told.

   Type    argos check examples/urp.pml
   Expect  HOLDS: the receiver is never ahead of the sender, nor behind its window.
   Then    argos check examples/urp.pml -D BROKEN
           VIOLATED: a receiver that does not look at the number of a block takes
           one again that was sent again.
   Then    argos check examples/urp.pml -D BLOCKS=9
           VIOLATED: with more blocks so many answers are on their way that every
           channel fills, and everybody waits to send. A bound may hide errors.    */
// run: check | verdict HOLDS | errors none | exit 0
// run: check --spin-counts | verdict HOLDS | states 20784 | exit 0
// run: check -D BROKEN | verdict VIOLATED | errors assertion | exit 1
// run: check -D BLOCKS=9 | verdict VIOLATED | errors deadlock | exit 1

#ifndef BLOCKS
#define BLOCKS  3                       /* to be sent */
#endif
#ifndef LOSSES
#define LOSSES  1                       /* cells that the line may lose */
#endif
#define W       2                       /* blocks that may be open */
#define M       8                       /* sequence numbers */

mtype = { DATA, BOT, ENQ, ECHO, REJ };

chan line = [1] of { mtype, byte };     /* from the sender into the line */
chan down = [1] of { mtype, byte };     /* from the line to the receiver */
chan back = [2] of { mtype, byte };     /* answers */
chan user = [1] of { byte };            /* what was received */

byte oldest = 0;                        /* the first block not acknowledged */
byte open = 0;                          /* blocks sent and not acknowledged */

#define after(n)    ((n + 1) % M)
#define ahead(x, y) ((x + M - y) % M)   /* by how much x is ahead of y */

#ifdef BROKEN
#define GOOD    got
#else
#define GOOD    (got && number == wanted)
#endif

active proctype sender()
{   byte number, rest = BLOCKS;
end:
    do
    :: open < W && open < rest ->
       number = (oldest + open) % M;
       line!DATA(number);
       line!BOT(number);
       open++
    :: back?ECHO(number) ->
       if
       :: ahead(number, oldest) < open ->
          open = open - ahead(after(number), oldest);
          rest = rest - ahead(after(number), oldest);
          oldest = after(number)
       :: else                          /* an old one */
       fi
    :: back?REJ(number) ->              /* go back behind the last good one */
       if
       :: ahead(after(number), oldest) <= open ->
          rest = rest - ahead(after(number), oldest);
          oldest = after(number);
          open = 0
       :: else
       fi
    :: timeout -> line!ENQ(0)           /* an enquiry is repeated until it arrives */
    od
}

active proctype cable()
{   byte number, lost = 0;
    mtype cell;
end:
    do
    :: line?cell(number) ->
       if
       :: down!cell(number)
       :: lost < LOSSES -> lost++
       fi
    od
}

active proctype receiver()
{   byte wanted = 0, number;
    bool got = false;
end:
    do
    :: down?DATA(number) -> got = true
    :: down?BOT(number) ->
       if
       :: GOOD ->
          assert(number == wanted && ahead(wanted, oldest) < W);
          wanted = after(wanted);
          user!1;
          back!ECHO(number)
       :: else -> back!REJ(ahead(wanted, 1))
       fi;
       got = false
    :: down?ENQ(number) -> got = false; back!REJ(ahead(wanted, 1))
    od
}

active proctype terminal()
{
end:
    do
    :: user?1
    od
}
