// run: --search auto | errors deadlock 1 | exit 1
/* A file is sent in blocks by a server to a client through a session and a link that loses.
   Both ends can abort. The fault: requests to open are repeated, so an acceptance can come
   late; the session of the server, brought into the data phase by it, does not take the next
   request of its user to open, and everybody waits. */
mtype = { open, accept, refuse, block, ack, close, abort, done };
chan use_s = [2] of { mtype, byte };
chan use_c = [2] of { mtype, byte };
chan ses_s = [2] of { mtype, byte };
chan ses_c = [2] of { mtype, byte };
chan lin_s = [2] of { mtype, byte };
chan lin_c = [2] of { mtype, byte };
#define BLOCKS 6

active proctype server()
{   byte n;
    do
    :: use_s!open, 0 ->
       if
       :: ses_s?accept, n ->
          n = 0;
          do
          :: n < BLOCKS -> use_s!block, n; n++
          :: n == BLOCKS -> use_s!close, 0; break
          :: use_s!abort, 0 -> goto over
          :: ses_s?abort, _ -> goto over
          od;
          do
          :: ses_s?done, _ -> break
          :: ses_s?abort, _ -> break
          od
       :: ses_s?refuse, n
       :: ses_s?abort, n
       fi;
over:  skip
    od
}

active proctype near()
{   byte n, number = 0, last;
    mtype m;
    do
    :: use_s?open, n -> lin_s!open, 0; goto wait
    :: use_s?block, n
    :: use_s?close, n
    :: use_s?abort, n
    :: lin_c?m, n
    od;
wait:
    if
    :: lin_c?accept, n -> ses_s!accept, 0; number = 0; goto data
    :: lin_c?refuse, n -> ses_s!refuse, 0; goto idle
    :: lin_c?abort, n -> ses_s!abort, 0; goto idle
    :: lin_c?ack, n -> goto wait
    :: lin_c?done, n -> goto wait
    :: timeout -> lin_s!open, 0; goto wait
    fi;
data:
    do
    :: use_s?block, n ->
       last = n;
again: lin_s!block, last;
       if
       :: lin_c?ack, n -> if :: n == last -> skip :: else -> goto again fi
       :: lin_c?abort, n -> ses_s!abort, 0; goto idle
       :: lin_c?accept, n -> goto again
       :: timeout -> goto again
       fi
    :: use_s?close, n -> lin_s!close, 0; goto closing
    :: use_s?abort, n -> lin_s!abort, 0; goto idle
    :: lin_c?abort, n -> ses_s!abort, 0; goto idle
    :: lin_c?ack, n
    od;
closing:
    if
    :: lin_c?done, n -> ses_s!done, 0; goto idle
    :: lin_c?ack, n -> goto closing
    :: lin_c?abort, n -> ses_s!abort, 0; goto idle
    :: timeout -> lin_s!close, 0; goto closing
    fi;
idle:
    do
    :: use_s?open, n -> lin_s!open, 0; goto wait
    :: use_s?block, n
    :: use_s?close, n
    :: use_s?abort, n
    :: lin_c?m, n
    od
}

active proctype far()
{   byte n, expected = 0;
    do
    :: lin_s?open, n ->
       if
       :: lin_c!accept, 0 -> use_c!open, 0; expected = 0
       :: lin_c!refuse, 0
       fi
    :: lin_s?block, n ->
       if
       :: n == expected -> use_c!block, n; expected++; lin_c!ack, n
       :: else -> lin_c!ack, n
       fi
    :: lin_s?close, n -> use_c!close, 0; lin_c!done, 0
    :: lin_s?abort, n -> use_c!abort, 0
    :: ses_c?abort, n -> lin_c!abort, 0; use_c!abort, 0
    :: lin_s?block, n                     /* lost */
    :: lin_s?open, n                      /* lost */
    od
}

active proctype client()
{   byte n, got;
end:
    do
    :: use_c?open, n ->
       got = 0;
       do
       :: use_c?block, n -> got++
       :: use_c?open, n
       :: use_c?close, n -> break
       :: use_c?abort, n -> break
       :: got > 3 -> ses_c!abort, 0;
          use_c?abort, n;
          break
       od
    :: use_c?block, n
    :: use_c?close, n
    :: use_c?abort, n
    od
}
