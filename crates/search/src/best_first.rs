//! Best-first search: of the states that wait the one that is nearest to what is looked for, as the
//! system estimates it, comes first; of these the one farthest from the start. That an
//! assertion may steer the search is a wish of Holzmann 1985, section IV, and 1987, section 3;
//! as a search for errors in protocols see Edelkamp, Leue and Lluch Lafuente, *Directed
//! Explicit-State Model Checking in the Validation of Communication Protocols* (2004).
//!
//! It is an order and no more: every state is expanded once, so a search that ends is complete.
//!
//! The unordered loop keeps a tag for each state that waits: here that is the distance.

use system::{Blocked, Budget, Distances, EdgeCoverage, Scope, Successors, System, Word};

/// A system that tags each successor with its distance. Its first-step sleep sets and
/// transition caches, which need the tags, are not used.
pub(crate) struct Directed<'s> {
    inside: &'s dyn System,
    distances: &'s dyn Distances,
    coverage: &'s dyn EdgeCoverage,
}

impl<'s> Directed<'s> {
    /// `inside`, if it tells distances and does without the names of steps.
    pub(crate) fn new(inside: &'s dyn System) -> Option<Self> {
        let (distances, coverage) = (inside.distances()?, inside.edge_coverage()?);
        Some(Self { inside, distances, coverage })
    }
}

impl System for Directed<'_> {
    fn width(&self) -> usize {
        self.inside.width()
    }

    fn identity_words(&self) -> usize {
        self.inside.identity_words()
    }

    fn scope(&self) -> Scope {
        self.inside.scope()
    }

    fn initial(&self, words: &mut [Word]) {
        self.inside.initial(words);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool {
        let whole = self.inside.successors(state, out, budget);
        if whole && !out.is_named() {
            out.tag_all(|next| self.distances.distance(next));
        }
        whole
    }

    fn blocked(&self, state: &[Word]) -> Blocked {
        self.inside.blocked(state)
    }

    fn edge_coverage(&self) -> Option<&dyn EdgeCoverage> {
        Some(self.coverage)
    }

    fn has_sequences(&self) -> bool {
        self.inside.has_sequences()
    }
}
