/* spin-counts: 5 0 5; errors 0 */
/* The last value of a list is that of all further elements. */
typedef T { byte x[3] = { 7, 8 } };
T t[2];
byte a[4] = { 1, 2 };
byte b[2] = { 1, 2, 3 };
short c[3] = { 5 };
active proctype P() {
    byte d[3] = { 6, 9 };
    assert(t[0].x[2] == 8 && t[1].x[0] == 7 && t[1].x[2] == 8);
    assert(a[1] == 2 && a[2] == 2 && a[3] == 2 && b[1] == 2 && c[0] == 5 && c[2] == 5);
    assert(d[0] == 6 && d[2] == 9)
}
