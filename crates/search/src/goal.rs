//! What a search is for: which error candidates count, and when it is enough.

use crate::{FindingKind, Why};
use system::{Blocked, MARK_OF_NOTE, Step, StepOutcome, Word};

/// Something a search came upon that may be worth reporting.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// What it is.
    pub kind: FindingKind,
    /// The state judged, or the state that the step leaves.
    pub state: &'a [Word],
    /// The step that ends in the error; none for a state at rest.
    pub step: Option<Step>,
}

/// How a candidate counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Weight {
    /// Not at all.
    Nothing,
    /// It is reported, and the search goes on.
    Warning,
    /// It is reported, and may be enough.
    Error,
    /// The same, also if something else was reported of its step: the goal itself sees to it that
    /// nothing is reported twice.
    Mark,
}

/// What a search is for.
pub(crate) trait Goal {
    /// How this counts.
    fn weigh(&mut self, candidate: &Candidate) -> Weight;

    /// Why the search ends, if it does, now that there are so many errors.
    fn enough(&self, errors: u64) -> Option<Why>;
}

/// Every error, up to a number, and residual messages as warnings.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Errors {
    /// The first error is enough.
    First,
    /// So many are enough.
    AtMost(u64),
    /// Never enough.
    All,
}

impl Goal for Errors {
    fn weigh(&mut self, candidate: &Candidate) -> Weight {
        match candidate.kind {
            FindingKind::Blocked(Blocked::ProperEnd) => Weight::Nothing,
            FindingKind::Blocked(Blocked::Residual) => Weight::Warning,
            _ => Weight::Error,
        }
    }

    fn enough(&self, errors: u64) -> Option<Why> {
        match *self {
            Errors::First => Some(Why::FirstError),
            Errors::AtMost(most) => (errors >= most).then_some(Why::Errors),
            Errors::All => None,
        }
    }
}

/// The first error of each kind, and residual messages as warnings.
#[derive(Clone, Debug, Default)]
pub(crate) struct EachKind {
    seen: Vec<FindingKind>,
}

impl Goal for EachKind {
    fn weigh(&mut self, candidate: &Candidate) -> Weight {
        let weight = Errors::All.weigh(candidate);
        if weight == Weight::Error {
            if self.seen.contains(&candidate.kind) {
                return Weight::Nothing;
            }
            self.seen.push(candidate.kind);
        }
        weight
    }

    fn enough(&self, _: u64) -> Option<Why> {
        None
    }
}

/// One state of each of these marks; errors do not count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EachMark {
    open: u32,
}

impl EachMark {
    pub(crate) fn new(marks: u32) -> Self {
        Self { open: marks }
    }
}

impl Goal for EachMark {
    fn weigh(&mut self, candidate: &Candidate) -> Weight {
        let FindingKind::Step(StepOutcome::Marked(marks)) = candidate.kind else {
            return Weight::Nothing;
        };
        let new = marks & self.open;
        self.open &= !new;
        if new == 0 { Weight::Nothing } else { Weight::Mark }
    }

    fn enough(&self, _: u64) -> Option<Why> {
        (self.open & !MARK_OF_NOTE == 0).then_some(Why::Errors)
    }
}
