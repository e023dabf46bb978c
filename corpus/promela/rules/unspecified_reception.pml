// run: --all-errors | errors deadlock 1 | warnings W0014 | exit 1
// run: --spin-counts | states 15 | matched 4 | errors deadlock 1 | warnings W0014 | exit 1
/* The receiver acknowledges twice; the sender does not expect that after a new
   message: the ack at the head of `back` is one it is not ready for. */
mtype = { msg, ack, done };
chan forth = [2] of { mtype, bit };
chan back = [2] of { mtype, bit };

active proctype Sender() {
	forth!msg,0;
	back?ack,0;
	forth!msg,1;
	if
	:: back?ack,1
	:: back?done,_
	fi;
	forth!done,0
}

active proctype Receiver() {
	bit b;
end:	do
	:: forth?msg,b -> back!ack,b; if :: b == 0 -> back!ack,b :: else fi
	:: forth?done,_ -> break
	od
}
