//! What searches of a program find.

use engine::program::Breach;
use search::FindingKind;
use system::{Blocked, Step, StepOutcome};
use trace::Mismatch;

/// What a finding says fails.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Requirement {
    /// Something a process does.
    Breach(Breach),
    /// Nobody can move and somebody is not at an end.
    Deadlock,
    /// Messages are left where that is forbidden.
    MessagesLeft,
    /// A never claim, by its index.
    Claim(usize),
}

/// One error, not yet replayed.
pub(crate) struct Found {
    pub(crate) requirement: Requirement,
    /// Its steps on the plain program; why not, if it does not run there; none if it is one of
    /// too many to be shown.
    pub(crate) trail: Result<Vec<Step>, Mismatch>,
    pub(crate) hidden: bool,
    pub(crate) shortest: bool,
    /// Index of the run that found it.
    pub(crate) run: usize,
}

impl Found {
    /// What a search of the plain program found.
    pub(super) fn new(kind: FindingKind, trail: Vec<Step>, shortest: bool) -> Self {
        let (requirement, trail) = (Requirement::of(kind), Ok(trail));
        Self { requirement, trail, hidden: false, shortest, run: 0 }
    }

    /// It is counted, and not shown.
    pub(super) fn hide(&mut self) {
        (self.trail, self.hidden) = (Ok(Vec::new()), true);
    }

    /// What it is about, and how many steps would be replayed for it.
    pub(super) fn about(&self) -> (Requirement, usize) {
        let steps = self.trail.as_ref().map_or(0, Vec::len);
        (self.requirement, if self.hidden { usize::MAX } else { steps })
    }
}

impl Requirement {
    /// What fails where a search finds something of this kind.
    pub(super) fn of(kind: FindingKind) -> Self {
        let breach = |number: u32| Breach::from_number(number).unwrap_or(Breach::Reference);
        match kind {
            FindingKind::Step(StepOutcome::Violation(number) | StepOutcome::Noted(number))
            | FindingKind::Blocked(Blocked::Violation(number)) => Self::Breach(breach(number)),
            FindingKind::Step(StepOutcome::Fault | StepOutcome::State) => {
                Self::Breach(Breach::DivisionByZero)
            }
            FindingKind::Blocked(Blocked::MessagesLeft) => Self::MessagesLeft,
            FindingKind::Blocked(_) => Self::Deadlock,
        }
    }
}
