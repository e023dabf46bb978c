// run: --search auto | errors assertion 1 | exit 1
/* Two wheels turn together, tooth by tooth, of 83 and 89 teeth. The fault: whoever designed
   them believed that their marks never meet. Seven bearings rattle. */
#define SMALL 83
#define LARGE 89
byte small = 1, large = 1;
bit rattle[7];

active [7] proctype bearing()
{
end:
    do
    :: rattle[_pid] = 1 - rattle[_pid]
    od
}

active proctype wheels()
{
    do
    :: atomic { small = (small + 1) % SMALL; large = (large + 1) % LARGE };
       assert(small != 0 || large != 0)
    od
}
