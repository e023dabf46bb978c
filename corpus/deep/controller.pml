// run: --search auto | errors assertion 1 | exit 1
/* A controller reads its sensors, decides and writes, cycle after cycle, while six switches
   change when they like. The fault: every sixteenth cycle it takes a slot of a log that nobody
   empties, and after 4,000 cycles there is none. */
#define CYCLES 4000
#define SWITCHES 6
bit on[SWITCHES];
byte lamps;
short left = CYCLES / 16;

active [SWITCHES] proctype switch()
{
end:
    do
    :: on[_pid] = 1 - on[_pid]
    od
}

active proctype controller()
{   byte beat, sum;
    do
    :: sum = on[0] + on[1] + on[2];
       if
       :: sum > 1 -> lamps = 1
       :: else -> lamps = 0
       fi;
       beat = (beat + 1) % 16;
       if
       :: beat == 0 -> assert(left > 0); left--
       :: else
       fi;
       sum = 0
    od
}
