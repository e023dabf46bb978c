/* expect: M0002@2:1 M0002@3:1 M0002@6:1 M0002@7:17 M0002@9:1 */
x = 1;
proctpye P() { skip }
byte ok;
active proctype Q() { ok = 1 }
skip;
active proctype () { skip }
active proctype R() { ok = 2 }
}
