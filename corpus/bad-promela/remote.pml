/* expect: M0009@7:13 M0027@8:8 M0007@9:13 M0009@11:10 */
byte x;
proctype P() { byte loc; L: skip }
active proctype Q() { skip }
never {
    do
    :: P[1]@M
    :: R@L
    :: P[2]:lok == 1
    :: P:loc == 2
    :: Q@L
    od
}
