/* expect: M0025@2:13 M0025@5:7 M0025@6:1 M0025@7:19 M0025@7:28 */
typedef A { B b };
typedef B { byte x };
mtype:fruit = { apple };
mtype:friut f;
C c;
chan q = [1] of { D, mtype:vegetable };
active proctype P() { A a; skip }
