/* expect: M0021@7:5 M0021@9:5 M0021@11:5 M0028@12:5 */
byte x;
inline give(v) { return v + 1 }
inline deep(v) { x = give(v); return x }
inline self(v) { x = v; self(v) }
active proctype P() {
    return 3;
    x = give(4);
    give(4);
    x = deep(1);
    deep(1);
    self(1)
}
