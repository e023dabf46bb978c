/* expect: N0013@9:13 N0013@10:10 M0038@11:5 M0038@12:5 */
/* Claims that do more than to look. */
byte x;
chan c = [1] of { byte };
active proctype P()
{	c!1
}
never {
	do :: x -> x = 1
	:: x -> x++
	:: c!1
	:: c?1
	:: c?[1]
	:: else
	od
}
