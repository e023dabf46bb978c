//! Backward execution, after Holzmann, "Backward symbolic execution of protocols"
//! (1984): begin at a state that would be an error, execute the protocol backwards,
//! and see whether the initial state can be reached.
//!
//! In: a [`Net`], which an Argos network becomes. Out: one [`Decision`] for each potential error, with the steps
//! that lead there, forwards, or the proof that none do. The search itself is
//! [`search::run`] on the reversed net, which is a [`system::System`].
//!
//! ```text
//!   Net ----> Flow (values, edges) --> Invariants
//!    |             |                       |
//!    +--> Reverse --+--> Lister: candidates, beliefs to begin with
//!                           |
//!                         Hunt: a System of beliefs --> search::run --> Decision
//! ```
//!
//! What always holds: a belief is a set of states, and the beliefs before an edge are
//! together exactly the states from which the edge leads into the belief. So an error
//! is reachable iff the search finds the initial state in a belief, and a search that
//! ends without has shown that it is not, for the capacities of the net (Holzmann 1984, section 4).

mod belief;
mod blocked;
mod candidate;
mod decide;
mod expr;
mod flow;
mod hunt;
mod invariant;
mod message;
mod net;
mod network;
mod order;
mod promela;
mod reverse;
mod solve;
mod target;
mod values;

pub use candidate::{Ruled, Suspect, suspects};
pub use decide::{Decided, Decision, Limits, Scope, Verdict, decide, decide_target};
pub use expr::{Expr, Leaf, Range, Subscript};
pub use hunt::Tricks;
pub use net::{
    Action, Channel, Edge, Kind, Machine, Message, Motion, Net, Pattern, Receive, State, Taken,
    Timeout, Variable, World,
};
pub use network::{of_network, of_world};
pub use promela::{Lowered, Standing, Unfit, of_program};
pub use target::{Target, TargetError, parse_target};
