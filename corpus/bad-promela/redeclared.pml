/* expect: M0008@2:23 M0008@4:6 M0008@5:6 M0008@6:25 M0008@7:9 M0008@8:25 M0008@8:43 M0008@9:10 M0008@11:8 M0008@12:13 M0008@13:1 M0008@15:7 */
mtype = { red, green, red };
byte x;
byte x;
byte green;
typedef T { byte a; int a };
typedef T { bit b };
proctype Q(byte a; byte a) { byte c; byte c; skip }
proctype Q() { skip }
inline f() { skip }
inline f() { skip }
init { byte red; skip }
init { skip }
never N { skip }
never N { skip }
