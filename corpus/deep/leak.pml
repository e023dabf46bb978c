// run: --search auto | errors assertion 1 | exit 1
/* Two workers take buffers of a pool and give them back. The fault: a worker that was
   interrupted for the hundredth time keeps its buffer, and at last there is none left. */
#define BUFFERS 35
#define PATIENCE 100
byte pool = BUFFERS;
byte interrupted;
bit bell;
byte noise[5];

active [5] proctype clock()
{
end:
    do
    :: noise[_pid] = (noise[_pid] + 1) % 3
    od
}

active proctype interrupt()
{
end:
    do
    :: bell = 1 - bell
    od
}

active [2] proctype worker()
{
    do
    :: atomic { assert(pool > 0); pool-- };
       if
       :: bell ->
          interrupted = (interrupted + 1) % PATIENCE;
          if
          :: interrupted == 0
          :: else -> pool++
          fi
       :: !bell -> pool++
       fi
    od
}
