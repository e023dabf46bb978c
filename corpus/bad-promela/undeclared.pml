/* expect: M0007@6:5 M0007@8:5 M0007@9:10 M0007@10:12 */
byte count;
chan link = [1] of { byte };
active proctype P() {
    byte local_one;
    cuont = 1;
    { byte inner; inner = 1 };
    inner = 2;
    link!local_on;
    assert(nothing_like_it == 3)
}
