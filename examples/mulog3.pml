/* Mutual exclusion in log n messages, after Naimi and Trehel: three nodes, one token.

   A stand-in. The 1995 paper measured a model called MULOG3 that was not printed
   (100,195 states, depth 119); this one was written from the algorithm, and bounded so
   that it has about that size: two users ask twice, the third one once. Each node
   knows whom it believes to be the last that asked (`last`), and who is to have the
   token after itself (`next`). A request travels along `last` and turns every node on
   its way towards the new asker, so the way is short on the average.

   Type    argos check examples/mulog3.pml
   Expect  HOLDS: never two users in the critical section, no deadlock.

   Then    argos check examples/mulog3.pml -D BROKEN
           VIOLATED: a node gives the token away while its user is inside.
   Then    argos check examples/mulog3.pml -D ENDLESS
           HOLDS: users ask again and again.                                       */
// run: check | verdict HOLDS | errors none | exit 0
// run: check --spin-counts | verdict HOLDS | states 106791 | exit 0
// run: check -D BROKEN | verdict VIOLATED | errors assertion | exit 1
// run: check -D ENDLESS | verdict HOLDS | errors none | exit 0

#define N       3
#define NOBODY  N
#ifdef ENDLESS
#define MORE    true
#define COUNT
#else
#define MORE    (turns < most)
#define COUNT   turns++;
#endif

mtype = { request, token, ask, go, done };

chan to[N] = [N] of { mtype, byte };    /* from node to node */
chan port[N] = [1] of { mtype };        /* from a user to its node */
chan grant[N] = [1] of { mtype };       /* and back */
byte inside = 0;

proctype user(byte me, most)
{   byte turns = 0;
end:
    do
    :: MORE -> COUNT
       port[me]!ask;
       atomic { grant[me]?go; inside++; assert(inside == 1) };
       atomic { inside--; port[me]!done }
    od
}

proctype node(byte me)
{   byte last = 0, next = NOBODY, who;
    bool asking = false;

    if
    :: me == 0 -> last = NOBODY         /* has the token at first */
    :: else
    fi;
end:
    do
    :: port[me]?ask ->
       asking = true;
       if
       :: last != NOBODY -> to[last]!request(me); last = NOBODY
       :: else -> grant[me]!go          /* the token is here */
       fi
    :: port[me]?done ->
       asking = false;
       if
       :: next != NOBODY -> to[next]!token(0); next = NOBODY
       :: else
       fi
    :: to[me]?token(who) -> grant[me]!go
    :: to[me]?request(who) ->
       if
#ifdef BROKEN
       :: last == NOBODY -> to[who]!token(0)
#else
       :: last == NOBODY && asking -> next = who    /* after me */
       :: last == NOBODY && !asking -> to[who]!token(0)
#endif
       :: last != NOBODY -> to[last]!request(who)   /* somebody else knows better */
       fi;
       last = who
    od
}

init {
    run node(0); run node(1); run node(2);
    run user(0, 2); run user(1, 2); run user(2, 1)
}
