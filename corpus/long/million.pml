// steps 1000000
/* A counter that is looked at each time. The one run there is fails after exactly 1,000,000 steps:
   that long a run is executed again and told in seconds. */
int count;

active proctype counter()
{
    do
    :: count++; assert(count < 500000)
    od
}
