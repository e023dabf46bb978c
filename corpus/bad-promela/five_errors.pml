/* expect: M0007@9:17 M0007@10:17 M0009@11:23 M0036@20:8 N0018@20:8 M0007@21:8 M0027@23:9 */
mtype = { msg, ack };
chan link = [1] of { mtype, byte };
byte got;

active proctype sender() {
    byte n;
    do
    :: link!msg,m -> n++
    :: n > 3 -> brek
    :: n == 5 -> goto finish
    od;
finsh: skip
}

active proctype receiver() {
    byte v;
    do
    :: link?msg,v -> got = v
    :: link?ack,v,v
    :: timeot -> break
    od;
    run sendr()
}
