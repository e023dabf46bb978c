// run: --search auto | errors deadlock 1 | exit 1
/* Ten who eat: each takes the fork at its left, thinks again whether it is hungry, then
   takes the one at its right. The fault is the oldest one: all take the left one. */
#define N 10
chan fork[N] = [1] of { bit };

proctype eater(byte me)
{
    do
    :: fork[me]?_ ->
       if
       :: fork[(me + 1) % N]?_ -> fork[(me + 1) % N]!0; fork[me]!0
       fi
    od
}

init
{   byte i;
    atomic {
        do
        :: i < N -> fork[i]!0; run eater(i); i++
        :: else -> break
        od
    }
}
