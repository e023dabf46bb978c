/* spin-counts: 15 2 17; errors 0 */
/* Inside an inline `select` counts step by step, whatever its bounds look like. */
byte x;
inline choose() {
    select(x : 0 .. 2)
}
active proctype P() {
    select(x : 0 .. 2);
    choose()
}
