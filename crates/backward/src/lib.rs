//! Backward execution (Holzmann 1984): start at a state that would be an error, execute the
//! protocol backwards, and see whether the initial state can be reached.
//!
//! In: a [`Net`], made of a network or a program. Out: one [`Decision`] for each potential
//! error, with the steps that lead there, forwards, or the proof that none do. The search
//! itself is [`search::run`] on the reversed net, which is a [`system::System`].
//!
//! ```text
//!   Net ----> Flow (values, edges) --> Invariants
//!    |             |                       |
//!    +--> Reverse --+--> Lister: candidates, beliefs to begin with
//!                           |
//!                      Beliefs, a System --> search::run --> Decision
//! ```
//!
//! INVARIANT: a belief is a set of states, and the beliefs before an edge together are exactly
//! the states from which the edge leads into the belief. So an error is reachable iff the
//! search finds the initial state in a belief; a search that ends without it is a proof of
//! unreachability, for the capacities of the net (Holzmann 1984, section 4).

mod belief;
mod beliefs;
mod blocked;
mod bounds;
mod candidate;
mod decide;
mod expr;
mod flow;
mod invariant;
mod message;
mod net;
mod network;
mod order;
mod promela;
mod reverse;
mod reversed;
mod solve;
mod target;
mod values;

pub use beliefs::Tricks;
pub use candidate::{Ruled, Suspect, suspects};
pub use decide::{Decided, Decision, Limits, Scope, Verdict, decide, decide_target};
pub use expr::{Expr, Leaf, Range, Subscript};
pub use net::{
    Action, Channel, Edge, Kind, Machine, Message, Motion, Net, Pattern, Receive, State, Taken,
    Timeout, Variable, World,
};
pub use network::{of_network, of_world};
pub use promela::{Lowered, Position, Unfit, of_program};
pub use reversed::{Claims, ReversedEdge, ReversedMachine, reversed};
pub use target::{NoTarget, Target};
