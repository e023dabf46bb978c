// run: --search auto | errors assertion 1 | exit 1
/* Packets over a line that loses, each sent again until it is acknowledged. The fault: the number
   of a packet goes back to 0 after 2,500 packets, and the count it is compared with does not.
   Four users come and go meanwhile. */
#define WRAP 2500
chan line = [1] of { short };
chan back = [1] of { short };
bit present[4];

active [4] proctype user()
{
end:
    do
    :: atomic { !present[_pid] -> present[_pid] = 1 }
    :: atomic { present[_pid] -> present[_pid] = 0 }
    od
}

active proctype sender()
{   short next, got;
end:
    do
    :: line!next;
       do
       :: back?got -> break
       :: timeout -> line!next
       od;
       next = (next + 1) % WRAP
    od
}

active proctype receiver()
{   short number, count;
end:
    do
    :: line?number ->
       assert(number == count);
       count++;
       back!number
    :: line?_
    od
}
