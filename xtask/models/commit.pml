/*
 * Two-phase commit, round after round. The coordinator asks every participant to
 * prepare; each works for a while and votes; one vote against it aborts the
 * transaction, and everybody is told. Every run goes on for ever and every round
 * ends, so nothing here needs fairness. WORK and N give the number of states.
 */
#define N	4
#define WORK	8

mtype = { prepare, yes, no, commit, abort, done };
mtype = { idle, voting, deciding };

mtype phase = idle;
mtype decision = abort;
chan to[N] = [1] of { mtype };
chan from = [N] of { mtype };

active [N] proctype participant()
{
	byte work;
	mtype order;
Idle:
	to[_pid]?prepare;
Working:
	do
	:: work < WORK -> work++
	:: work == WORK -> work = 0; break
	od;
	if
	:: from!yes
	:: from!no
	fi;
Voted:
	to[_pid]?order;
	if
	:: order == commit ->
Commits:	skip
	:: else ->
Aborts:	skip
	fi;
	from!done;
	goto Idle
}

active proctype coordinator()
{
	byte count;
	bool all;
	mtype vote;
	do
	:: phase = voting;
	   all = true;
	   do
	   :: count < N -> to[count]!prepare; count++
	   :: else -> count = 0; break
	   od;
	   do
	   :: count < N -> from?vote; all = (all && vote == yes); count++
	   :: else -> count = 0; break
	   od;
	   decision = (all -> commit : abort);
	   phase = deciding;
	   do
	   :: count < N -> to[count]!decision; count++
	   :: else -> count = 0; break
	   od;
	   do
	   :: count < N -> from?done; count++
	   :: else -> count = 0; break
	   od;
	   phase = idle
	od
}

ltl answered	{ [] ((phase == voting) -> <> (phase == deciding)) }
ltl rounds	{ []<> (phase == idle) }
ltl returns	{ [] (participant[0]@Working -> <> participant[0]@Idle) }
ltl agree	{ [] !(participant[0]@Commits && participant[1]@Aborts) }
ltl votes	{ []<> participant[1]@Voted }
ltl decided	{ <> (phase == deciding) }
ltl begins	{ (phase == idle) U (phase == voting) }
ltl obeys	{ [] (participant[0]@Aborts -> decision == abort) }
ltl heard	{ []<> (len(from) > 0) }
ltl orderly	{ [] ((phase == voting) -> ((phase == voting) U (phase == deciding))) }
ltl together	{ []<> participant[0]@Commits -> []<> participant[1]@Commits }
ltl parts	{ [] (participant[0]@Commits -> <> participant[0]@Working) }
