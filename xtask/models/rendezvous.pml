/*
 * A lock service without buffers. Each client asks the server for one of two locks by
 * rendezvous, works on a counter of its own while it has it, and gives it back; the
 * server keeps a queue of who waits for each lock. N and WORK give the number of states.
 */
#define N	4
#define LOCKS	2
#define WORK	3
#define NOBODY	255

mtype = { request, grant, release };

chan service = [0] of { mtype, byte, byte };
chan reply[N] = [0] of { mtype };

byte owner[LOCKS];
byte inside[LOCKS];

active [N] proctype client()
{
	byte lock, work;
	do
	:: if
	   :: lock = 0
	   :: lock = 1
	   fi;
	   service!request(_pid, lock);
	   reply[_pid]?grant;
	   inside[lock]++;
	   do
	   :: work < WORK -> work++
	   :: work == WORK -> break
	   od;
	   assert(inside[lock] == 1);
	   inside[lock]--;
	   work = 0;
	   service!release(_pid, lock)
	od
}

active proctype server()
{
	chan waiting0 = [N] of { byte };
	chan waiting1 = [N] of { byte };
	byte who, lock, next;
	owner[0] = NOBODY;
	owner[1] = NOBODY;
	do
	:: service?request(who, lock) ->
	   if
	   :: owner[lock] == NOBODY -> owner[lock] = who; reply[who]!grant
	   :: owner[lock] != NOBODY && lock == 0 -> waiting0!who
	   :: owner[lock] != NOBODY && lock == 1 -> waiting1!who
	   fi
	:: service?release(who, lock) ->
	   assert(owner[lock] == who);
	   owner[lock] = NOBODY;
	   if
	   :: lock == 0 && nempty(waiting0) -> waiting0?next; owner[0] = next; reply[next]!grant
	   :: lock == 1 && nempty(waiting1) -> waiting1?next; owner[1] = next; reply[next]!grant
	   :: else
	   fi
	od
}
