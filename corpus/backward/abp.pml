/* The alternating bit protocol over channels that lose messages, with a timeout. Nothing
   is wrong with it. */
mtype = { msg, ack };
chan to_receiver = [1] of { mtype, bit };
chan to_sender = [1] of { mtype, bit };

active proctype sender()
{
	bit sent, got;

	do
	:: to_receiver!msg(sent);
wait:		if
		:: to_sender?ack(got) ->
			if
			:: got == sent -> sent = 1 - sent
			:: else -> skip
			fi
		:: timeout -> skip
		fi
	od
}

active proctype receiver()
{
	bit expected, got;

end:	do
	:: to_receiver?msg(got) ->
		atomic {
			if
			:: got == expected -> expected = 1 - expected
			:: else -> skip
			fi
		};
		to_sender!ack(got)
	:: to_receiver?msg(_) -> skip	/* lost */
	od
}

// run: --all-errors --search exhaustive | states 14 | transitions 17 | errors none | exit 0
