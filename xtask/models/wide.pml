/*
 * Copying between two pages of memory of half a kilobyte each. A writer fills page after
 * page, a reader checks that no page is torn, and a scrubber clears cells behind both, each
 * at its own pace; a state has more than a kilobyte, a step changes a few bytes of it.
 */
#define PAGE	512
#define ROUNDS	4

byte front[PAGE];
byte back[PAGE];
short filled, copied, scrubbed;
byte round;

active proctype writer()
{
	do
	:: round < ROUNDS && filled < PAGE ->
	   atomic { front[filled] = round + 1; filled = filled + 4 }
	:: filled >= PAGE && copied >= PAGE && scrubbed >= PAGE ->
	   atomic { round++; filled = 0; copied = 0; scrubbed = 0 }
	:: round == ROUNDS -> break
	od
}

active proctype copier()
{
	do
	:: copied < filled ->
	   atomic { back[copied] = front[copied]; assert(back[copied] == round + 1); copied = copied + 4 }
	:: round == ROUNDS -> break
	od
}

active proctype scrubber()
{
	do
	:: scrubbed < copied ->
	   atomic { front[scrubbed] = 0; scrubbed = scrubbed + 4 }
	:: round == ROUNDS -> break
	od
}
