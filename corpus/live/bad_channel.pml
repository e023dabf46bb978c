/* a proposition about a channel that is not there yet

live: no bad channel: violated violated violated
live: ltl room: unknown unknown unknown
*/
chan link;
chan cable = [2] of { byte };
active proctype P() { link = cable; do :: link!1 :: link?_ od }
ltl room { [] (len(link) <= 2) }
