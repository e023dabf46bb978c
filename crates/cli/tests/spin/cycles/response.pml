/* runs: -a -ltl answered | -a -f -ltl answered | -a -ltl asked | -a -f -ltl asked | -a -ltl bounded */
bool question, answer;
byte rounds;
active proctype Client() {
    do
    :: !question && !answer -> question = true; answer; answer = false; rounds = (rounds + 1) % 3
    od
}
active proctype Server() {
    do
    :: question -> question = false; answer = true
    od
}
active proctype Clock() {
    bit tick;
    do
    :: tick = 1 - tick
    od
}
ltl answered { [](question -> <>answer) }
ltl asked { []<>question }
ltl bounded { [](rounds < 2) }
