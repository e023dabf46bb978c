/* expect: M0002@4:9 M0003@5:11 M0005@6:5 M0005@7:8 M0005@8:5 M0002@9:10 M0002@10:12 M0002@11:10 M0002@12:10 */
byte x
active proctype P() {
    x = ;
    x = 1 x = 2;
    if fi;
    if :: fi;
    do x = 1 od;
    (x + ;
    printf(x);
    goto 3;
    x = 3)
}
