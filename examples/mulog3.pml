/* Mutual exclusion in log n messages, after Naimi and Trehel: three nodes, one token.

   A stand-in. The 1995 paper measured a model called MULOG3 that was not printed
   (100,195 states); this one was written from the algorithm, so its figures are its
   own. Each node knows whom it believes to be the last that asked (`last`), and who
   is to have the token after itself (`next`). A request travels along `last` and turns
   every node on its way towards the new asker, so the way is short on the average.

   Type    argos check examples/mulog3.pml
   Expect  HOLDS: never two nodes in the critical section, no deadlock.

   Then    argos check examples/mulog3.pml -D BROKEN
           VIOLATED: a node passes the token on and keeps it.                      */
// run: check | verdict HOLDS | errors none | exit 0
// run: check --spin-counts | verdict HOLDS | states 41372 | exit 0
// run: check -D BROKEN | verdict VIOLATED | errors assertion | exit 1

#define N       3
#define NOBODY  N
#define SLOTS   N
#ifdef BROKEN
#define KEEP                            /* passes the token on and keeps it */
#else
#define KEEP    has_token = false;
#endif

mtype = { request, token };

chan to[N] = [SLOTS] of { mtype, byte };
byte inside = 0;

proctype node(byte me)
{   byte last = 0, next = NOBODY, who;
    bool asking = false, has_token = (me == 0);

    xr to[me];
    if
    :: me == 0 -> last = NOBODY
    :: else
    fi;
end:
    do
    :: !asking ->                       /* wants to enter */
       asking = true;
       if
       :: last != NOBODY -> to[last]!request(me); last = NOBODY
       :: else
       fi
    :: asking && has_token ->           /* enters, leaves */
       inside++;
       assert(inside == 1);
       inside--;
       asking = false;
       if
       :: next != NOBODY -> has_token = false; to[next]!token(0); next = NOBODY
       :: else
       fi
    :: to[me]?token(who) -> has_token = true
    :: to[me]?request(who) ->
       if
       :: last == NOBODY && asking -> next = who     /* after me */
       :: last == NOBODY && !asking -> KEEP to[who]!token(0)
       :: last != NOBODY -> to[last]!request(who)    /* somebody else knows better */
       fi;
       last = who
    od
}

init {
    byte i = 0;
    atomic {
        do
        :: i < N -> run node(i); i++
        :: else -> break
        od
    }
}
