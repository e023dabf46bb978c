// run: --search auto | errors assertion 1 | exit 1
/* A sliding window with selective repeat over lines that lose messages. The fault: there
   are four sequence numbers and the window has three places, so a repeated message can
   be taken for a new one. The data are numbered modulo 8 and must arrive in order. */
#define NUMBERS 4
#define WINDOW 3
#define DATA 8
chan line = [2] of { byte, byte };
chan back = [2] of { byte };

active proctype sender()
{   byte base = 0, next = 0, ack, fresh = 0;
    byte kept[NUMBERS];
    do
    :: (next + NUMBERS - base) % NUMBERS < WINDOW ->
       kept[next] = fresh;
       fresh = (fresh + 1) % DATA;
       if
       :: line!next, kept[next]
       :: skip                       /* lost */
       fi;
       next = (next + 1) % NUMBERS
    :: back?ack ->
       do
       :: base != ack -> base = (base + 1) % NUMBERS
       :: else -> break
       od
    :: base != next && empty(line) && empty(back) -> line!base, kept[base]
    od
}

active proctype receiver()
{   byte expected = 0, number, value, wanted = 0;
    byte held[NUMBERS];
    bit has[NUMBERS];
    do
    :: line?number, value ->
       if
       :: (number + NUMBERS - expected) % NUMBERS < WINDOW -> held[number] = value; has[number] = 1
       :: else
       fi;
       do
       :: has[expected] ->
          assert(held[expected] == wanted);
          has[expected] = 0;
          wanted = (wanted + 1) % DATA;
          expected = (expected + 1) % NUMBERS
       :: else -> break
       od;
       if
       :: back!expected
       :: skip                       /* lost */
       fi
    od
}
