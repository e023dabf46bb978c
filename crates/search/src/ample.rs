//! Ample sets: in a state where one process can be moved alone, only it is moved
//! (Holzmann and Peled, *An Improvement in Formal Verification*, 1994; Godefroid's
//! persistent sets); where there is none, a group of processes (Valmari's stubborn sets). Which
//! processes those are is for the system to say. What is kept:
//! every blocked state, and whether some step ends in a violation; not every state.
//!
//! The proviso, against postponing the others for ever: at least one of the steps leads on,
//! else another process is moved alone, or all are. Without it a process that runs in a
//! circle would hide all that the others do. What it means to lead on depends on the loop.
//!
//! # Depth first
//!
//! A step leads on if it leads out of the current path. The proof, with a store that may forget
//! states that are not on the path. Let a run lead from
//! a state that was entered into a blocked state or a violation; then one is found, by induction
//! on the length of the run, and for runs of one length on when the state was left first. If the
//! run has a step of the ample set, the first one of them commutes to the front, and behind it
//! the rest of the run is shorter. If not, all of it is independent of the ample set, is there
//! behind each of its steps, and is as long; one of them leads out of the path, into a
//! state that is left before this one is, whether it is new, was forgotten, or is stored. That a
//! blocked state ends a run without a step of the ample set is impossible: that step would be
//! enabled there. The states of the path are never forgotten, so what leads out of it is known.
//!
//! # In no order, breadth first, by several threads
//!
//! Each state that is reduced gets one successor that it leads on to, so that these edges have
//! no cycle ([`crate::forest`]). The proof is the one above, for runs of one length on how
//! long the path of these edges is: if no step of the run is in the ample set, the run is as long
//! behind the step that leads on, from a state with a shorter path; at the end of the path
//! no step is left out. A state that is expanded once more for the proviso is done when its last
//! expansion is.
//!
//! One thread keeps the edges. An edge to a state that is new when it is added, or waits to be
//! expanded, closes no cycle, for that one has no edge yet; an edge to any other closes one iff
//! its path ends in the state itself. No rule for single steps asks for less. Where there is no
//! memory for edges, and with threads, a step leads on only if its target is expanded later
//! (Bosnacki, Leue and Lluch Lafuente, *Partial-order reduction for general state exploring
//! algorithms*, 2009): such edges follow the time at which expansions begin. Threads know of a
//! state that is new, by the one table they share, but not of one that waits: another may be
//! expanding it just now. So how many states they leave out depends on who comes first, but not
//! what is found.
//!
//! # For cycles
//!
//! What a formula without `X` says of infinite runs is kept, too, if a reduced expansion counts
//! only if *all* its targets are new or wait ([`Proviso::All`]), and if no step of an ample set is
//! visible: none may change the truth of a proposition, whatever the others do in between.
//! Only one process is moved alone, never a group. These are conditions C2 and C3 of Clarke, Grumberg and Peled (1999, section 10.3), so the reduced
//! state space has a run for each run of the whole one that differs in stuttering only. C3,
//! that every cycle has a state of which all steps are taken: let each state of a cycle be left to
//! one process. The target of each edge was new or waited when the expansion of its source was
//! proven, so its own was proven later, and round the cycle each is proven later than itself.
//!
//! Every order keeps which edges of which process types are executed, too: by the same induction
//! each edge of a run is executed in some state, for it commutes as a whole. Exits that nobody can
//! tell are no edges in this sense.
//!
//! First-step sleep sets ([`System::has_first_step_sleep`](system::System)) are not applied beside
//! ample sets: that what they leave out is met in another way rests on every step of every
//! state being taken. Whether a process can be moved alone is decided by what it reads and by
//! where the others stand, so the per-process transition cache remembers both
//! ([`crate::transition_cache`]).

use crate::Why;
use crate::memory::Memory;
use crate::reduction::{Entered, Reduction};
use crate::store::Opens;
use std::ops::Range;
use system::{Candidates, Independence};

/// Which targets of a reduced expansion have to lead on, where there is no path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Proviso {
    /// One: blocked states and violations are kept.
    One,
    /// All: runs are kept, up to stuttering.
    All,
}

/// Moves one process alone where that is enough.
pub(crate) struct Ample<'s> {
    system: &'s dyn Independence,
    /// The persistent sets of the batch at hand.
    candidates: Candidates,
    left_out: u64,
}

impl<'s> Ample<'s> {
    pub(crate) fn new(system: &'s dyn Independence) -> Self {
        Self { system, candidates: Candidates::default(), left_out: 0 }
    }

    /// The places of the steps of a process, or of a group, that is moved alone, if there is one.
    fn choose<T: Opens>(&mut self, entered: &Entered<T>) -> Option<&[Range<usize>]> {
        self.candidates.clear();
        let (state, batch) = entered.expanded?;
        self.system.ample(state, batch, &mut self.candidates);
        let leads_out = |step| !entered.is_on_path(step);
        self.candidates.iter().find(|ranges| ranges.iter().cloned().flatten().any(leads_out))
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
        if let Some(steps) = self.choose(entered) {
            kept.fill(false);
            steps.iter().for_each(|steps| kept[steps.clone()].fill(true));
            self.left_out += kept.iter().filter(|kept| !**kept).count() as u64;
        }
        Ok(())
    }

    fn left_out(&self) -> u64 {
        self.left_out
    }
}
