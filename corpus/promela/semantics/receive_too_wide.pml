/* spin-counts: 16 1 17; errors 2 */
/* A receive of more fields than there are: those that are not there are 0. */
chan c = [2] of { byte };
byte x, y, z = 7;
active proctype A() {
    if :: c?[1,2,3] -> assert(false) :: c!1 fi;
    if :: c?x,5,z :: c?x,0,z :: c?x,y,z :: c?x fi;
    if :: c!3; c?[3,0] -> y = 9 :: skip fi
}
