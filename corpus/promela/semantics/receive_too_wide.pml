/* spin-counts: 4 1 5; errors 1 */
/* A receive that no channel can serve fails when it is executed; a poll is just false. */
chan c = [2] of { byte };
byte x, y, z;
active proctype A() {
    if :: c?[1,2,3] -> assert(false) :: c!1 fi;
    if :: c?x,y,z :: c?x fi
}
