/*
 * Lamport's bakery with N customers: a customer takes a number larger than all he has seen,
 * and waits for everybody who is choosing or has a smaller one. Numbers are bounded: nobody
 * takes one while the largest is out. (Lamport, A New Solution of Dijkstra's Concurrent
 * Programming Problem, 1974.)
 */
#ifndef N
#define N	3
#endif
#ifndef MOST
#define MOST	4
#endif

bool choosing[N];
byte number[N];
byte critical;

active [N] proctype customer()
{
	byte j, largest;
	do
	:: choosing[_pid] = true;
	   j = 0; largest = 0;
	   do
	   :: j == N -> break
	   :: j < N && number[j] > largest -> largest = number[j]; j++
	   :: j < N && number[j] <= largest -> j++
	   od;
	   if
	   :: largest < MOST ->
		number[_pid] = largest + 1;
		choosing[_pid] = false;
		j = 0;
		do
		:: j == N -> break
		:: j == _pid -> j++
		:: j < N && j != _pid ->
			!choosing[j];
			(number[j] == 0 || number[_pid] < number[j] ||
				(number[_pid] == number[j] && _pid < j));
			j++
		od;
		critical++;
		assert(critical == 1);
		critical--;
		number[_pid] = 0
	   :: largest >= MOST -> choosing[_pid] = false
	   fi
	od
}
