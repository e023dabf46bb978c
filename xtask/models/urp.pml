/* The universal receiver protocol, after Fraser and Marshall (1989): blocks with
   sequence numbers modulo 8, block acknowledgements, and a receiver that says what
   it has got whenever it is asked.

   Without a bound and without a user: examples/urp.pml is the bounded one. A block is one data cell and a trailer, BOT, with its number. The
   receiver answers a good block with ECHO, a bad one with REJ and the number of the
   last good one; the sender goes back there. When nothing moves the sender asks, ENQ,
   and is told. The line to the receiver loses cells.

   Type    argos check xtask/models/urp.pml
   Expect  HOLDS: the receiver is never ahead of the sender, nor behind its window.
   Then    argos check xtask/models/urp.pml -D BROKEN
           VIOLATED: a receiver that does not look at the number of a block takes
           one again that was sent again.                                          */

#ifndef W
#define W       2                       /* blocks that may be open */
#endif
#define M       8                       /* sequence numbers */
#define CELLS   2                       /* the line holds so many */

mtype = { DATA, BOT, ENQ, ECHO, REJ };

chan line = [CELLS] of { mtype, byte };
chan back = [CELLS] of { mtype, byte };

byte oldest = 0;                        /* the first block not acknowledged */
byte open = 0;                          /* blocks sent and not acknowledged */

#define after(n)    ((n + 1) % M)
#define ahead(x, y) ((x + M - y) % M)   /* by how much x is ahead of y */

#ifdef BROKEN
#define GOOD    got
#else
#define GOOD    (got && number == wanted)
#endif

inline put(cell, number) {
    if
    :: line!cell(number)
    :: skip                             /* lost */
    fi
}

active proctype sender()
{   byte number;
end:
    do
    :: open < W && len(line) + 2 <= CELLS ->
       number = (oldest + open) % M;
       put(DATA, number);
       put(BOT, number);
       open++
    :: back?ECHO(number) ->
       if
       :: ahead(number, oldest) < open ->
          open = open - ahead(after(number), oldest);
          oldest = after(number)
       :: else                          /* an old one */
       fi
    :: back?REJ(number) ->              /* go back behind the last good one */
       if
       :: ahead(after(number), oldest) <= open -> oldest = after(number); open = 0
       :: else
       fi
    :: timeout -> line!ENQ(0)           /* an enquiry is repeated until it arrives */
    od
}

active proctype receiver()
{   byte wanted = 0, number;
    bool got = false;
end:
    do
    :: line?DATA(number) -> got = true
    :: line?BOT(number) ->
       if
       :: GOOD ->
          assert(number == wanted && ahead(wanted, oldest) < W);
          wanted = after(wanted);
          back!ECHO(number)
       :: else -> back!REJ(ahead(wanted, 1))
       fi;
       got = false
    :: line?ENQ(number) -> got = false; back!REJ(ahead(wanted, 1))
    od
}
