//! A system in which nothing is an error: a step that ends in one is not there, and a blocked
//! state is as good as any. A search of it stores all states and finds nothing.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use system::{
    Agents, Blocked, Budget, EdgeCoverage, Independence, PersistentSets, Successors, System, Word,
};

/// A reference to a system, without its errors.
pub(super) struct Unjudged<'a, S> {
    pub(super) system: S,
    /// Whether some step ended in an error.
    pub(super) fails: &'a AtomicBool,
}

impl<S: Deref<Target: System>> System for Unjudged<'_, S> {
    fn width(&self) -> usize {
        self.system.width()
    }

    fn initial(&self, words: &mut [Word]) {
        self.system.initial(words);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool {
        let all = self.system.successors(state, out, budget);
        if !out.outcomes().is_empty() {
            let listed = out.len();
            out.keep_entering();
            self.fails.fetch_or(out.len() < listed, Ordering::Relaxed);
        }
        all
    }

    fn blocked(&self, _: &[Word]) -> Blocked {
        Blocked::ProperEnd
    }

    fn edge_coverage(&self) -> Option<&dyn EdgeCoverage> {
        self.system.edge_coverage()
    }

    fn has_first_step_sleep(&self) -> bool {
        self.system.has_first_step_sleep()
    }

    fn agents(&self) -> Option<&dyn Agents> {
        self.system.agents()
    }

    fn independence(&self) -> Option<&dyn Independence> {
        self.system.independence()
    }

    fn persistent_sets(&self) -> Option<&dyn PersistentSets> {
        self.system.persistent_sets()
    }
}
