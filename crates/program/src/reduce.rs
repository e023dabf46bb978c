//! Reductions: passes that leave the meaning of a program alone and the number of
//! its states not. They only annotate: proctypes, locations and edges keep their
//! ids, so a run of the reduced program names edges of the plain one and is
//! executed again there, statement by statement.
//!
//! - `hide`: what is stored to globals that nothing reads is dropped.
//! - `dead`: locals are set to zero where their value is never read again.
//! - `merge`: statements that no other process can observe follow in the same visible step.
//!
//! The first two keep every step, in the same order. The third leaves out states
//! between statements; what it is to keep beside failures is [`Kept`], and a claim that
//! counts steps is not part of it.

mod access;
mod cycle;
mod dead;
mod hide;
mod local;
mod merge;

pub use dead::live_locals;
pub(crate) use hide::never_read;
pub use local::local_locations;

use crate::Program;

/// Which reductions are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reductions {
    /// Globals that nothing reads are no part of the state.
    pub hide: bool,
    /// Dead locals are zero.
    pub dead_reset: bool,
    /// Statements that only touch locals follow the one before in one step.
    pub merge: bool,
    /// What that is to keep.
    pub kept: Kept,
}

/// What merging keeps of a program; each keeps what those before keep.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Kept {
    /// Failures, and states in which nothing moves.
    #[default]
    Failures,
    /// Infinite runs, up to stuttering, as propositions and labels show them.
    Runs,
    /// Which of them are fair.
    FairRuns,
}

impl Reductions {
    /// None at all.
    pub const NONE: Self =
        Self { hide: false, dead_reset: false, merge: false, kept: Kept::Failures };
    /// All of them.
    pub const ALL: Self = Self { hide: true, dead_reset: true, merge: true, kept: Kept::Failures };
}

/// The program with these reductions. The later ones profit from the earlier: a
/// store that is dropped is never observed.
pub fn reduce(program: &Program, reductions: Reductions) -> Program {
    let mut reduced = program.clone();
    if reductions.hide {
        reduced = hide::hide(reduced);
    }
    if reductions.dead_reset {
        reduced = dead::reset(reduced);
    }
    if reductions.merge {
        reduced = merge::merge(reduced, reductions.kept);
    }
    reduced
}

impl Program {
    /// The reductions that left their mark on this program.
    pub fn reductions(&self) -> Reductions {
        let edges = || self.proctypes.iter().flat_map(|kind| &kind.edges);
        Reductions {
            hide: self.globals.iter().any(|variable| variable.unread),
            dead_reset: edges().any(|edge| !edge.resets.is_empty()),
            merge: edges().any(|edge| edge.merged),
            kept: Kept::default(),
        }
    }
}
