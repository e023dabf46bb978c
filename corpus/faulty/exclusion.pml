// run: --search auto | errors assertion 1 | exit 1
/* Mutual exclusion by tickets among four. The fault: a ticket is read before the number
   is said to be chosen, so two can hold the same one and the tie goes to both. */
#define N 4
byte ticket[N];
bit choosing[N];
byte inside = 0;

proctype customer(byte me)
{   byte j, most;
    do
    :: most = 0; j = 0;
       do
       :: j < N ->
          if :: ticket[j] > most -> most = ticket[j] :: else fi;
          j++
       :: else -> break
       od;
       if :: most > 5 -> goto late :: else fi;
       choosing[me] = 1;
       ticket[me] = most + 1;
       choosing[me] = 0;
       j = 0;
       do
       :: j < N ->
          (!choosing[j]);
          (ticket[j] == 0 || ticket[j] > ticket[me] || (ticket[j] == ticket[me] && j >= me) || j == me);
          j++
       :: else -> break
       od;
       inside++;
       assert(inside == 1);
       inside--;
       ticket[me] = 0
    od;
late: skip
}

init { atomic { run customer(0); run customer(1); run customer(2); run customer(3) } }
