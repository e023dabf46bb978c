//! The packed form of a model: every variable, location and channel is a bit field of
//! the words of a state, every edge of every process a guard and a list of updates of
//! those fields. Nothing dynamic is left: pids, channel numbers and process creation
//! have become fields and case distinctions, resolved by whoever lowers a model.
//!
//! It says only what happens when all goes well. Whatever is rare (a failed assertion,
//! a bad index, a process or channel there is no room for) is a *bail*: the state is
//! given up, and the reference interpreter is asked for its successors. So a
//! back end is small, and there are two of them: closures, and machine code.
//!
//! How a state is expanded, by any back end:
//! 1. Agents are asked in order. The value of an agent's `at` picks its [`Place`]; it bails
//!    if there is none.
//! 2. Of a place's groups the first with an edge that moves counts; within it every
//!    edge whose guard holds moves, in order. An `else` moves iff no edge before it at
//!    its place moved.
//! 3. The guard is evaluated on the state. The body changes a copy of it, reading what
//!    it wrote.
//! 4. [`Then`] says whether the copy is visible, the same agent goes on in it unseen,
//!    or it is an offer that another agent must take.
//! 5. If nothing moved at all and `asks_timeout`, once more with [`Expr::Timeout`] true.
//!    Within an unseen sequence it is false.
//!
//! With a never claim the expansion is that of the product ([`Claim`]).

mod access;
mod backend;
mod bit_sets;
mod claim;
mod closures;
mod commute;
mod described;
mod driver;
mod estimate;
mod expr;
mod field;
mod follow;
mod independence;
mod measure;
mod observed;
mod op;
mod orbit;
mod persistent;
mod predicates;
mod read_set;
mod record;
mod sequence;
mod transition;
mod verify;
mod visit;

pub use access::{AccessExpr, AccessTable, EdgeAccesses};
pub use backend::{Backend, Bail, Batch, Move, Scratch};
pub use base::{BinaryOp, UnaryOp};
pub use claim::Claim;
pub use closures::{Closures, closures};
pub use driver::{Driver, Fallback};
pub use estimate::Estimates;
pub use expr::Expr;
pub use field::{Array, Field};
pub use follow::FOLLOWED_MAX;
pub use op::{Choice, Op, Walk};
pub use orbit::{Cell, Guard, Member, Naming, Orbits};
pub use predicates::Predicates;

use system::{StepKind, Word};

/// A model in packed form.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Packed {
    /// Words of a state.
    pub width: usize,
    /// How many of the first words tell states apart.
    pub telling: usize,
    /// The initial state.
    pub initial: Vec<Word>,
    /// Who moves, in the order of asking.
    pub agents: Vec<Agent>,
    /// The last agent is a never claim: it is not among those who move by themselves, but
    /// moves with every step of theirs.
    pub claim: Option<Claim>,
    /// Some expression reads [`Expr::Timeout`], the claim's aside.
    pub asks_timeout: bool,
    /// How many edges [`Edge::mark`] tells apart.
    pub marks: usize,
}

/// Somebody who moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Agent {
    /// What a step calls it.
    pub number: u32,
    /// Where it stands: the index of a place.
    pub at: Field,
    /// Its places. An agent that does not exist stands where no edge leaves.
    pub places: Vec<Place>,
}

/// Where an agent can stand.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Place {
    /// What it can do by itself, in groups of falling priority.
    pub groups: Vec<Vec<Edge>>,
    /// What it can do with an offer: edges that read [`Expr::Offered`] and make no offer.
    /// Their guards see the state in which the offering agent has moved already.
    pub takes: Vec<Vec<Edge>>,
}

/// Something an agent can do.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    /// What a step calls it.
    pub number: u32,
    /// Which entry of the list of executed edges is its own.
    pub mark: u32,
    /// What it does, as far as a search may care.
    pub kind: StepKind,
    /// Moves iff no edge before it at its place did.
    pub is_else: bool,
    /// Whether it can move. Changes nothing but temporaries and offers.
    pub guard: Vec<Op>,
    /// What it changes; where the agent stands next is part of it.
    pub body: Vec<Op>,
    /// What follows.
    pub then: Then,
}

/// What follows an edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Then {
    /// The state is visible.
    Visible,
    /// The agent that moved (of a rendezvous the one that took) goes on; the state in
    /// between is not visible, unless the agent cannot move there.
    GoesOn,
    /// The edge moves iff another agent takes its offer: each way to take it is one move
    /// of both. These agents, by index, are asked in this order; what follows is what
    /// follows the edge that takes.
    Offered(Vec<usize>),
}
