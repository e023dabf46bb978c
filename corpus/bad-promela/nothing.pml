/* expect: M0030@4:1 */
byte x;
proctype P() { x = 1 }
