/* expect: M0015@4:5 M0015@7:5 M0015@8:5 M0018@9:5 M0036@10:5 N0018@10:5 M0036@11:5 M0015@12:10 N0019@13:7 M0033@15:10 M0007@16:7 */
byte b;
chan q = [2] of { byte, byte };
int slots = [2] of { byte };
active proctype P() {
    byte x;
    b!1;
    b?x;
    q!1,2,3;
    q?x,_,x;
    q?x,x;
    (len(b) > 0);
    q?_pid,1;
    x = 1;
    chan late = [1] of { byte };
    q!nobody
}
