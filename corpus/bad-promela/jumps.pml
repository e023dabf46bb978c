/* expect: M0012@4:5 M0012@5:16 M0013@6:26 M0013@8:10 M0013@9:27 */
byte x;
active proctype P() {
    break;
    if :: x -> break :: else fi;
    d_step { x = 1; goto out };
    d_step { x = 2; inside: x = 3; x = 4 };
    goto inside;
    do :: d_step { x = 1; break } :: x = 2; break od;
out: skip
}
