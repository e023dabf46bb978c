//! What happens when a search meets a stored state again.

use system::LastStatement;

/// The rule for states met again, with the note it needs beside each state.
pub(crate) trait Revisit {
    /// What is kept beside a state.
    type Note: Copy;

    /// Whether it wants to know what the last edge of a step is.
    const TAGS: bool = false;

    /// The note of a state that is new at this depth, behind a step of this type.
    fn arrive(&self, depth: u64, tag: LastStatement) -> Self::Note;

    /// A closed state is met at this depth: `Some` if it is to be explored again.
    fn meet_again(&self, note: Self::Note, depth: u64) -> Option<Again<Self::Note>>;
}

/// A state is to be explored again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Again<N> {
    /// Its note from now on.
    pub(crate) note: N,
    /// Whether it was expanded before; if not, the depth bound had cut it.
    pub(crate) expanded: bool,
}

/// Any revisit ends the branch. Complete without a depth bound, and for a store
/// of the current path, where closed states are not met at all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EndBranch;

impl Revisit for EndBranch {
    type Note = ();

    fn arrive(&self, _: u64, _: LastStatement) {}

    fn meet_again(&self, (): (), _: u64) -> Option<Again<()>> {
        None
    }
}

/// Any revisit ends the branch, and the store hears how each state was reached: a cache
/// forgets by that.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EndBranchNoting;

/// How a state was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Arrival {
    pub(crate) depth: u64,
    pub(crate) tag: LastStatement,
}

impl Revisit for EndBranchNoting {
    type Note = Arrival;

    const TAGS: bool = true;

    fn arrive(&self, depth: u64, tag: LastStatement) -> Arrival {
        Arrival { depth, tag }
    }

    fn meet_again(&self, _: Arrival, _: u64) -> Option<Again<Arrival>> {
        None
    }
}

/// [`LowerDepth`], where the store hears how each state was reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LowerDepthNoting(pub(crate) LowerDepth);

impl Revisit for LowerDepthNoting {
    type Note = Arrival;

    const TAGS: bool = true;

    fn arrive(&self, depth: u64, tag: LastStatement) -> Arrival {
        Arrival { depth, tag }
    }

    fn meet_again(&self, seen: Arrival, depth: u64) -> Option<Again<Arrival>> {
        let Again { note: depth, expanded } = self.0.meet_again(seen.depth, depth)?;
        Some(Again { note: Arrival { depth, ..seen }, expanded })
    }
}

/// The exhaustive search with a depth bound (Holzmann 1985, section II): a revisit ends the branch iff
/// the state is on the current path, or was seen at the same or a smaller depth.
/// Without this rule a state first met near the bound hides what lies within the
/// bound of its shorter paths.
///
/// INVARIANT: the note is the smallest depth at which the state was entered; the
/// state was expanded iff that is below the bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LowerDepth {
    pub(crate) depth_max: u64,
}

impl Revisit for LowerDepth {
    type Note = u64;

    fn arrive(&self, depth: u64, _: LastStatement) -> u64 {
        depth
    }

    fn meet_again(&self, seen: u64, depth: u64) -> Option<Again<u64>> {
        (depth < seen).then_some(Again { note: depth, expanded: seen < self.depth_max })
    }
}
