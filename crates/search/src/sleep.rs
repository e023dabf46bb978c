//! Sleep sets: Algorithm 2 of Godefroid, Holzmann and Pirottin, *State-Space Caching
//! Revisited* (1995), Figure 3. Comments name its lines.
//!
//! A transition sleeps in a state if it was explored from a state before it and only
//! independent transitions were taken since: whatever lies behind it is known. Every state is
//! visited (Theorem 3.1), by fewer edges, and each for the first time by the same path
//! as without. Sleep sets are kept for the path only: kept for all states they cost more
//! edges, and far more with a cache.
//!
//! INVARIANT: a sleeping transition is enabled in the state in which it sleeps.

use crate::Why;
use crate::memory::Memory;
use crate::reduction::{Behind, Entered, Reduction};
use crate::store::Opens;
use system::{Independence, Transition};

/// The sleep sets of the path.
pub(crate) struct Sleep<'s> {
    system: &'s dyn Independence,
    /// INVARIANT: the transition of each place of the slices but place 0, which is no step.
    transitions: Vec<Transition>,
    /// The sleep sets of the states of the path, one after the other; behind them, while
    /// a step is followed, the one of the state it leads to.
    asleep: Vec<Transition>,
    /// Where the sleep set of each state of the path begins.
    begins: Vec<usize>,
    /// Where the sleep set of the state begins that the step being followed leads to.
    coming: usize,
    left_out: u64,
}

impl<'s> Sleep<'s> {
    pub(crate) fn new(system: &'s dyn Independence) -> Self {
        let (transitions, asleep, begins) = Default::default();
        Self { system, transitions, asleep, begins, coming: 0, left_out: 0 }
    }

    /// A state with these steps is put on the path: those asleep are not followed, and those
    /// of which `wakes` is true sleep no longer. Steps that come in not kept are not counted.
    pub(crate) fn put_to_sleep(
        &mut self,
        batch: &[Transition],
        kept: &mut [bool],
        memory: &mut Memory,
        wakes: impl Fn(usize) -> bool,
    ) -> Result<(), Why> {
        memory.grow(&mut self.transitions, kept.len())?;
        memory.grow(&mut self.begins, 1)?;
        let mut still = self.coming;
        for place in self.coming..self.asleep.len() {
            let asleep = self.asleep[place];
            let Some(index) = batch.iter().position(|other| *other == asleep) else {
                continue;
            };
            self.left_out += u64::from(std::mem::take(&mut kept[index]));
            if !wakes(index) {
                self.asleep[still] = asleep;
                still += 1;
            }
        }
        self.asleep.truncate(still);
        self.begins.push(self.coming);
        let kept = batch.iter().zip(kept).filter(|(_, kept)| **kept);
        self.transitions.extend(kept.map(|(transition, _)| *transition));
        Ok(())
    }

    /// The step at this place has been followed, and `sleeps` from now on.
    pub(crate) fn backtrack(&mut self, at: usize, sleeps: bool) {
        self.asleep.truncate(self.coming);
        if sleeps {
            self.asleep.push(self.transitions[at - 1]);
        }
    }
}

impl<T: Opens> Reduction<T> for Sleep<'_> {
    /// Line 10: what sleeps is not followed. Line 11: what would lead to a state of the
    /// path sleeps no longer.
    fn enter(
        &mut self,
        entered: &Entered<T>,
        kept: &mut [bool],
        memory: &mut Memory,
    ) -> Result<(), Why> {
        self.put_to_sleep(entered.transitions, kept, memory, |index| entered.is_on_path(index))
    }

    /// Line 14: what sleeps and is independent of the step sleeps behind it.
    fn follow(&mut self, at: usize, memory: &mut Memory) -> Result<(), Why> {
        let taken = self.transitions[at - 1];
        self.coming = self.asleep.len();
        let begin = self.begins.last().copied().unwrap_or(0);
        memory.grow(&mut self.asleep, self.coming - begin + 1)?;
        for place in begin..self.coming {
            let other = self.asleep[place];
            if !self.system.dependent(taken, other) {
                self.asleep.push(other);
            }
        }
        Ok(())
    }

    /// Lines 21 to 23: it sleeps from now on, unless it closed a cycle.
    fn followed(&mut self, at: usize, behind: Behind) {
        self.backtrack(at, !matches!(behind, Behind::Path(_)));
    }

    fn leave(&mut self, first: usize) {
        self.coming = self.begins.pop().unwrap_or(0);
        self.transitions.truncate(first - 1);
    }

    fn left_out(&self) -> u64 {
        self.left_out
    }
}
