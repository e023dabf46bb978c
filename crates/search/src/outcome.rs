//! What a search gives back: findings with their trails, numbers, and every
//! reason why it knows less than everything.

use crate::{CacheFigures, Coverage, Executed};
use system::{Blocked, Step, StepOutcome, Word};

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The numbers.
    pub statistics: Statistics,
    /// The errors, one per state and, for a step that ends in an error, one per
    /// state and step; in the order they were found.
    pub findings: Vec<Finding>,
    /// States at a proper end with messages left. They are warnings and end no
    /// search. The first [`RESIDUALS_KEPT_MAX`]; `statistics.residuals` counts all.
    pub residuals: Vec<Finding>,
    /// Whether findings and trails are the same in every run. Not so for one made by several
    /// threads, which stands here if the search that would have made it again did not end.
    pub canonical: bool,
    /// Every reason why the search is not complete; empty for a complete one.
    pub why_incomplete: Vec<Why>,
    /// The edges fired.
    pub executed: Executed,
    /// What the store can vouch for.
    pub coverage: Coverage,
    /// What became of the cache, if there was one.
    pub cache: Option<CacheFigures>,
}

impl Outcome {
    /// Whether the search covered every state the system can reach.
    pub fn complete(&self) -> bool {
        self.why_incomplete.is_empty() && self.coverage == Coverage::Exact
    }

    /// Adds what several threads found, if the canonical search ended before it found anything.
    pub(crate) fn keep(&mut self, finding: Finding) {
        if !self.findings.is_empty() || self.complete() {
            return;
        }
        if finding.kind != FindingKind::Blocked(Blocked::Residual) {
            self.statistics.errors += 1;
            self.findings.push(finding);
            self.canonical = false;
        } else if self.residuals.is_empty() {
            self.statistics.residuals += 1;
            self.residuals.push(finding);
            self.canonical = false;
        }
    }
}

/// How many residual findings are kept with their trails. Warnings do not end a
/// search, so without a bound a deep search of a sloppy model would hold little
/// else than their trails.
pub const RESIDUALS_KEPT_MAX: usize = 100;

/// The numbers of a search. Counted as the tables of the papers do: a transition
/// enters a state that is new or matches one that is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// With a full store: distinct states, the initial one included. With a store
    /// of the current path, or a cache: states created, again or not.
    pub states: u64,
    /// Edges that led to a stored state, or into an error that ended the branch.
    /// A state explored again under a depth bound is matched, and so are all its
    /// edges to stored states, each time.
    pub matched: u64,
    /// `states + matched`.
    pub transitions: u64,
    /// The longest path in edges. Depth first: the deepest path. Breadth first:
    /// the last level. Exhaustive: the longest chain of first discoveries.
    pub depth: u64,
    /// Matched edges that closed a loop on the current path; depth first only.
    pub loops: u64,
    /// With a full store: distinct states never expanded, for the depth bound,
    /// though they have successors. With a store of the current path: branches cut.
    pub truncated: u64,
    /// Steps that a reduction left out because others stand for them.
    pub left_out: u64,
    /// Steps among those that led to nothing new that were not looked up, because the same
    /// steps in another order lead to the same state. With one thread.
    pub spared: u64,
    /// How often an agent was asked for its steps because they were not remembered; with ample
    /// sets and one thread.
    pub asked: u64,
    /// Distinct errors.
    pub errors: u64,
    /// Distinct states at a proper end with messages left.
    pub residuals: u64,
    /// Bytes the store holds at the end: all that says which states are known.
    pub store_bytes: u64,
    /// Bytes held at the end beside the store so that a trail can be worked out.
    pub log_bytes: u64,
    /// The most bytes held at one time: store, work list or path, findings.
    pub peak_bytes: u64,
    /// Threads that searched beside the first one.
    pub helpers: u32,
}

/// An error, or a residual state, with the way to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What it is.
    pub kind: FindingKind,
    /// The steps from the initial state; for a outcome the last one is the step
    /// that ends in the error.
    pub trail: Vec<Step>,
    /// The state judged; for a outcome the state that the last step leaves.
    pub state: Vec<Word>,
}

/// What a finding is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FindingKind {
    /// A state without a step, and the verdict on it. Never `ProperEnd`.
    Blocked(Blocked),
    /// A step that ends in an error. Never `State`.
    Step(StepOutcome),
}

/// Why a search knows less than everything.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Why {
    /// It was to stop at the first error.
    FirstError,
    /// It found as many errors as it was to find.
    Errors,
    /// The depth bound cut branches.
    Depth,
    /// It stored as many states as it was allowed to.
    States,
    /// The next growth would have gone past the memory limit, or failed.
    Memory,
    /// The time allowed was used up.
    Time,
    /// The user stopped it.
    Interrupted,
    /// The path alone filled the cache.
    Cache,
    /// The store may have taken new states for old ones: see [`Coverage`].
    Lossy,
    /// The system left steps out.
    Partial,
    /// The system identified states that differ.
    Folded,
}
