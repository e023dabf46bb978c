/* expect: N0012@9:5 N0012@11:22 N0012@12:26 */
/* Labels inside indivisible sequences, where no process is ever seen. */
byte x;
chan c = [1] of { byte };

active proctype P()
{
L:	atomic { x = 1;
    progress: x = 2; x = 3
	};
	d_step { x = 1;     accept_in: x = 2; x = 0 };
	atomic { x = 1; x = 2;  accept_last: x = 0 };
	atomic { x = 1; accept_blocks: c!1; x = 0 };
accept:	atomic { x = 1; x = 2 };
	atomic { x = 1; end_here: x = 2 };
	goto L
}
