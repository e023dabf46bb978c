/* expect: M0017@5:5 M0017@6:5 M0017@7:5 M0017@8:5 M0017@9:9 M0017@10:5 M0029@11:9 M0029@12:9 M0024@13:18 M0024@14:14 M0024@16:9 M0024@17:9 M0024@18:23 */
mtype = { red, green };
byte n;
active proctype P() {
    red = 1;
    green++;
    _pid = 2;
    _nr_pr--;
    n = _;
    _last = 1;
    n = 99999999999;
    n = 12ab;
    unsigned w : 40;
    byte v : 3
}
active [70000] proctype Q() { skip }
active [n] proctype R() { skip }
proctype S() priority 300 { skip }
