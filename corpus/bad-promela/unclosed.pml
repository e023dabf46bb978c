/* expect: M0004@7:5 M0004@9:1 M0004@10:1 */
byte x;
active proctype P() {
    if
    :: x = 1
    :: do :: x = 2
    fi;
    x = 3
active proctype Q() { atomic { x = 4
