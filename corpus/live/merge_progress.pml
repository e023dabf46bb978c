/* the only place without progress is behind a store and before a statement of the process's
   own, where nobody else can see it; a fair run does not stay there

live: no non-progress cycle: violated holds holds
*/
bool seen, turn;
active proctype mover() {
  byte mine;
progress_before: seen = true;
  mine = 1;
progress_behind: (mine == 2)
}
active proctype spinner() {
  do
  :: turn = !turn
  od
}
