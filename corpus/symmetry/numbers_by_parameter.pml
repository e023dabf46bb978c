/* symmetry: 3 client; exit 0 */
/* Each keeps a number of its own, by which an array of channels knows it. */
chan answer[4] = [1] of { bit };
chan ask = [2] of { byte };
proctype client(byte me) { end: do :: ask!me; answer[me]?_ od }
proctype server() { byte who; end: do :: ask?who; answer[who]!1 od }
init { atomic { run client(1); run client(2); run client(3); run server() } }
