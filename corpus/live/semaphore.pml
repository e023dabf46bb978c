/* semaphore: weak fairness does not prevent starvation, strong does

live: ltl mutex: holds holds holds
live: ltl live: violated violated holds
live: ltl some: holds holds holds
*/
bit sem = 1; bit c0, c1;
active proctype A() { do :: atomic { sem -> sem = 0 }; c0 = 1; c0 = 0; sem = 1 od }
active proctype B() { do :: atomic { sem -> sem = 0 }; c1 = 1; c1 = 0; sem = 1 od }
ltl mutex { [] !(c0 && c1) }
ltl live  { [] <> c1 }
ltl some  { [] <> (c0 || c1) }
