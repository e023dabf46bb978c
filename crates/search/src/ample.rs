//! Ample sets: in a state where one process can be moved alone, only it is moved
//! (Holzmann and Peled, *An Improvement in Formal Verification*, 1994; Godefroid's
//! persistent sets). Which processes those are is for the system to say. What is kept:
//! every blocked state, and whether some step ends in a violation; not every state.
//!
//! The cycle proviso, against postponing the others for ever: at least one of the steps
//! leads out of the current path, else all processes are moved. Without it a process that
//! runs in a circle would hide all that the others do.

use crate::Why;
use crate::memory::Memory;
use crate::reduction::{Entered, Reduction};
use crate::store::Opens;
use std::ops::Range;
use system::Independence;

/// Moves one process alone where that is enough.
pub(crate) struct Ample<'s> {
    system: &'s dyn Independence,
    /// The persistent sets of the batch at hand.
    candidates: Vec<Range<usize>>,
    left_out: u64,
}

impl<'s> Ample<'s> {
    pub(crate) fn new(system: &'s dyn Independence) -> Self {
        Self { system, candidates: Vec::new(), left_out: 0 }
    }
}

impl<T: Opens> Reduction<T> for Ample<'_> {
    const BY_TRANSITION: bool = false;

    fn enter(
        &mut self,
        entered: &Entered<T>,
        kept: &mut [bool],
        _: &mut Memory,
    ) -> Result<(), Why> {
        self.candidates.clear();
        let Some((state, batch)) = entered.expanded else { return Ok(()) };
        self.system.ample(state, batch, &mut self.candidates);
        let leads_out = |steps: &Range<usize>| steps.clone().any(|step| !entered.is_on_path(step));
        if let Some(steps) = self.candidates.iter().find(|steps| leads_out(steps)) {
            kept.fill(false);
            kept[steps.clone()].fill(true);
            self.left_out += (kept.len() - steps.len()) as u64;
        }
        Ok(())
    }

    fn left_out(&self) -> u64 {
        self.left_out
    }
}
