//! Options with a fixed set of words.

use serde::{Deserialize, Serialize};

/// Declares an option with a fixed set of words, spelled once.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$item_doc:meta])* $item:ident = $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
        pub enum $name { $($(#[$item_doc])* #[serde(rename = $word)] $item),* }

        impl $name {
            /// Every choice.
            pub const ALL: &[Self] = &[$(Self::$item),*];

            /// As written on the command line.
            pub fn word(self) -> &'static str {
                match self { $(Self::$item => $word),* }
            }
        }
    };
}

choice!(
    /// How the state space is searched.
    Search {
        /// The papers' workflow: small models completely, others by ever weaker
        /// restrictions until the first error or a complete search (Holzmann 1987, section 6).
        Auto = "auto",
        /// Complete, in whatever order is fastest; with a depth bound that of Holzmann 1985.
        Exhaustive = "exhaustive",
        /// Strict depth first: the youngest process first, edges in source order.
        Dfs = "dfs",
        /// Breadth first: shortest traces.
        Bfs = "bfs",
        /// Best first: the state that is nearest to a violated assertion, by an estimate
        /// (Holzmann 1987, section 3, as a wish).
        Directed = "directed",
        /// Depth first with a depth bound, any revisit ends the branch (Holzmann 1986, section 2).
        Partial = "partial",
        /// All steps of a few processes (Holzmann 1985, section 3.2).
        Scatter = "scatter",
        /// One step of each process (Holzmann 1987, section 5).
        OnePerProcess = "one-per-process",
        /// One step (Holzmann 1987, section 5).
        OnePerState = "one-per-state",
        /// Random walks.
        Random = "random",
    }
);
choice!(
    /// Which states are remembered.
    Store {
        /// All, collapsed.
        Compact = "compact",
        /// All, whole.
        Full = "full",
        /// The labelled ones of the current path (Holzmann 1987, section 5).
        Labelled = "labelled",
        /// Those of the current path (Holzmann 1987, section 5).
        Path = "path",
        /// A few bits of a field for each; lossy.
        Bitstate = "bitstate",
        /// A hash for each; lossy.
        Hash64 = "hash64",
    }
);
choice!(
    /// Which steps are left out because others stand for them.
    Reduce {
        /// What is known to help; nothing yet.
        Auto = "auto",
        /// None.
        None = "none",
        /// Those explored before in another order.
        Sleep = "sleep",
        /// Those of all processes but one, where that one can be moved alone.
        Ample = "ample",
        /// Of these, those explored before in another order (Godefroid and Wolper 1993).
        SleepAmple = "sleep,ample",
        /// Those of others beside local transitions (Holzmann 1985, section 3.1).
        Internal = "internal",
    }
);
choice!(
    /// Which steps depend on each other.
    Dependency {
        /// On one channel: two sends, two receives, a test with either.
        Paper = "paper",
        /// As paper, but a look depends only on what can change its answer.
        Fine = "fine",
        /// Any two on one channel.
        Syntactic = "syntactic",
    }
);
choice!(
    /// Which state a full cache forgets for a new one (Holzmann 1987; Godefroid et al. 1995).
    Replace {
        /// Any one.
        Random = "random",
        /// The next one.
        RoundRobin = "round-robin",
        /// The most visited one of those scanned.
        Most = "most",
        /// The least visited one of those scanned.
        Least = "least",
        /// The next one that was visited as often as most are.
        Class = "class",
        /// The next one in the lower half of the tree.
        Subtree = "subtree",
        /// Of those scanned the one reached by the highest type of step.
        Type = "type",
        /// The next one not reached by a jump.
        Avoid1 = "avoid:1",
        /// The next one not reached by a receive.
        Avoid2 = "avoid:2",
        /// The next one not reached by a send.
        Avoid3 = "avoid:3",
        /// The next one not reached by an assignment.
        Avoid4 = "avoid:4",
    }
);
choice!(
    /// Who computes successors.
    Engine {
        /// Machine code, where there is any; else closures.
        Jit = "jit",
        /// Compiled closures over packed states.
        Closures = "closures",
        /// The reference interpreter.
        Reference = "reference",
    }
);
choice!(
    /// When a timeout can fire.
    Timeout {
        /// Only when nothing else can move.
        Last = "last",
        /// When its channel is empty.
        Empty = "empty",
        /// Always.
        Any = "any",
        /// Never.
        Off = "off",
    }
);
choice!(
    /// When a default receive can take a message.
    Default_ {
        /// Always.
        Any = "any",
        /// When no named receive of its state can.
        Else = "else",
    }
);
choice!(
    /// What counts as a proper end.
    End {
        /// End states and `end` labels.
        Strict = "strict",
        /// Also start states while all channels are empty.
        Home = "home",
    }
);
choice!(
    /// When the call of a procedure can execute.
    Calls {
        /// When the first statement of the procedure can.
        Inline = "inline",
        /// Always.
        Step = "step",
    }
);

choice!(
    /// Which infinite runs count.
    Fair {
        /// All.
        None = "none",
        /// Those in which no process that can always move from some point on never moves.
        Weak = "weak",
        /// Those in which no process that can move again and again never moves any more.
        Strong = "strong",
    }
);

choice!(
    /// What is looked for only if somebody asks.
    Check {
        /// Cycles in which no message is sent or received and no progress is made.
        Livelock = "livelock",
    }
);
choice!(
    /// What `--fail-on` refuses.
    Gate {
        /// A statement never executed
        Unreached = "unreached",
        /// A formula whose premise never occurs, an assertion that sees no event, a message never
        /// sent or never received
        Vacuous = "vacuous",
        /// Any warning
        Warning = "warning",
        /// A --cover that is never reached, a service that --within finds never performed
        Cover = "cover",
    }
);
