//! Partial-order reduction: which steps of a state are left out because others stand for
//! them.
//!
//! In: the steps of a state that is entered, all of them. Out: those to follow. A
//! reduction is told what becomes of each. Whether a state is blocked is never its
//! business: that is asked of all steps before it.

use crate::Why;
use crate::memory::Memory;
use crate::store::{Opens, Store};
use system::{Step, StepOutcome, Successors, Transition, Word};

/// A state that is put on the path, with all its successors.
pub(crate) struct Entered<'a, T> {
    pub(crate) store: &'a T,
    /// Its steps and their transitions.
    pub(crate) steps: &'a [(Step, StepOutcome)],
    pub(crate) transitions: &'a [Transition],
    /// The state itself and its successors, if they were not recalled.
    pub(crate) expanded: Option<(&'a [Word], &'a Successors)>,
    /// The forms of the successors, one after the other.
    pub(crate) forms: &'a [Word],
}

impl<T: Opens> Entered<'_, T> {
    /// Whether the successor by the step at this place is a state of the current path.
    pub(crate) fn is_on_path(&self, index: usize) -> bool {
        let stride = self.store.stride();
        let (_, outcome) = self.steps[index];
        outcome.enters() && self.store.is_open(&self.forms[index * stride..][..stride])
    }
}

/// What lies behind a step that was followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Behind {
    /// A state of the path, at this place of it.
    Path(usize),
    /// A state that was closed before.
    Closed,
    /// Nothing that is not explored now: a state that was new, or an error.
    Explored,
}

/// The part of the depth-first loop that leaves steps out.
pub(crate) trait Reduction<T: Store> {
    /// Whether it ever leaves a step out; if not it is told nothing.
    const ACTIVE: bool = true;
    /// Whether it looks at transitions only: then steps may be recalled.
    const BY_TRANSITION: bool = true;

    /// A state is put on the path. Says of each step in `kept`, which comes in all true,
    /// whether it is followed.
    fn enter(
        &mut self,
        entered: &Entered<T>,
        kept: &mut [bool],
        memory: &mut Memory,
    ) -> Result<(), Why>;

    /// The step at this place of the slices is about to be followed.
    fn follow(&mut self, _at: usize, _: &mut Memory) -> Result<(), Why> {
        Ok(())
    }

    /// It has been followed, and the path ends again where it begins.
    fn followed(&mut self, _at: usize, _behind: Behind) {}

    /// The state at the end of the path is left, whose slice begins at `first`.
    fn leave(&mut self, _first: usize) {}

    /// How many steps were left out.
    fn left_out(&self) -> u64;
}

/// Every step is followed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoReduction;

impl<T: Store> Reduction<T> for NoReduction {
    const ACTIVE: bool = false;

    fn enter(&mut self, _: &Entered<T>, _: &mut [bool], _: &mut Memory) -> Result<(), Why> {
        Ok(())
    }

    fn left_out(&self) -> u64 {
        0
    }
}
