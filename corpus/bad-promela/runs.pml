/* expect: M0014@5:25 M0014@8:14 M0014@9:7 M0014@10:22 M0014@11:15 M0014@12:11 M0014@15:9 M0014@16:14 */
byte x = 1;
chan q = [1] of { byte };
proctype K(byte a) { skip }
proctype L() { byte y = run K(1); skip }
init {
    byte p;
    d_step { run K(1) };
    q!(run K(2));
    x = (run K(1)) + (run K(2));
    p = run K(run K(1));
    assert(run K(1));
    p = run K(3)
}
never { run K(1) }
ltl bad { [] (run K(1)) }
