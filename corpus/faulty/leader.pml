// run: --search auto | errors assertion 1 | exit 1
/* Election of a leader in a ring: a node starts when it likes, sends its number to the next
   one, passes larger numbers on, drops smaller ones and is elected by its own. The fault:
   a node that has not started yet passes everything on and starts all the same, so it
   can be elected after somebody else was. */
#define N 6
#define SLOTS 2
chan ring[N] = [SLOTS] of { byte };
byte leaders = 0;

proctype node(byte place; byte number)
{   byte seen;
    bit started = 0;
end:
    do
    :: !started -> started = 1; ring[(place + 1) % N]!number
    :: ring[place]?seen ->
       if
       :: seen == number -> leaders++; assert(leaders == 1)
       :: seen != number && (seen > number || !started) -> ring[(place + 1) % N]!seen
       :: seen < number && started
       fi
    od
}

init
{   atomic {
        run node(0, 3); run node(1, 1); run node(2, 6); run node(3, 2); run node(4, 5); run node(5, 4)
    }
}
