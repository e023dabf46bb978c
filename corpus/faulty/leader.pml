/* Election of a leader in a ring: each node sends its number to the next one, passes
   larger numbers on and is elected by its own. The fault: a node that is passed by a
   larger number still counts a second copy of its own as a victory, because it
   compares with what it saw last and not with itself. */
#define N 4
#define SLOTS 3
mtype = { candidate, winner };
chan ring[N] = [SLOTS] of { mtype, byte };
byte leaders = 0;

proctype node(byte place; byte number)
{   byte seen, best = number;
    bit passive = 0, known = 0;
    ring[(place + 1) % N]!candidate, number;
    do
    :: ring[place]?candidate, seen ->
       if
       :: seen > best -> best = seen; passive = 1; ring[(place + 1) % N]!candidate, seen
       :: seen == best ->
          /* should be: seen == number */
          leaders++;
          assert(leaders == 1);
          ring[(place + 1) % N]!winner, seen
       :: seen < best ->
          if
          :: passive -> ring[(place + 1) % N]!candidate, seen
          :: else
          fi
       fi
    :: ring[place]?winner, seen ->
       if
       :: known -> break
       :: else -> known = 1; ring[(place + 1) % N]!winner, seen
       fi
    od
}

init
{   atomic {
        run node(0, 3); run node(1, 1); run node(2, 4); run node(3, 2)
    }
}
