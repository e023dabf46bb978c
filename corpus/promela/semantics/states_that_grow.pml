/* spin-counts: 123 0 123; errors 0 */
/* every process brings a channel of its own, so states grow while the model runs: the search has to start again with wider ones */
short last;
proctype P(short n)
{
	chan own = [2] of { short };
	own!n;
	if
	:: n < 30 -> run P(n + 1)
	:: else -> own?last
	fi
}
init { run P(1) }
