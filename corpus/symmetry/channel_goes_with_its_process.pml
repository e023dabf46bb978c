/* refused: goes when its process ends */
chan known = [2] of { chan };
active [2] proctype p() { chan own = [1] of { byte }; known!own; own!1; own?_ }
