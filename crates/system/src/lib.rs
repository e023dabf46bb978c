//! The seam between models and searches: what a searchable system is.
//!
//! A state is a slice of 64-bit words whose meaning only the system knows. Two
//! states are the same iff their identity words are equal: a system writes one state in
//! one way only, and everything that decides the future (monitor sets of
//! assertions included) is in the words. A search never looks inside. Only a
//! system that copies SPIN's answers, or folds states, has words beside the identity words
//! ([`System::identity_words`]).
//!
//! [`System`] is what every system has. What only some have is a capability, a trait of its
//! own, and a search asks for it by name: a search that needs one refuses a system without.

mod access;
mod agents;
mod dice;
mod distances;
mod independence;
mod letters;
mod parts;
mod step;
mod stubborn;
mod successors;
mod symmetry;

pub use access::{Access, Accesses, Dependency, Object};
pub use agents::Agents;
pub use dice::Dice;
pub use distances::{Distances, FAR};
pub use independence::{Candidates, Independence, PersistentSets, Transition};
pub use letters::{HALTED, Letter, Letters, Participants, Processes};
pub use parts::{Blank, Part, Parts};
pub use step::{Blocked, LastStatement, MARK_OF_NOTE, Step, StepKind, StepOutcome};
pub use stubborn::Stubborn;
pub use successors::Successors;
pub use symmetry::Symmetry;

/// One 64-bit piece of a state.
pub type Word = u64;

/// What the successors of one state may cost. A step may be a whole sequence, with more
/// ways through it than anybody can wait for.
pub trait Budget {
    /// Asked now and then, with the bytes held for the state at hand. `false` ends
    /// the work on it.
    fn lasts(&mut self, bytes: u64) -> bool;
}

/// As much as it takes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unlimited;

impl Budget for Unlimited {
    fn lasts(&mut self, _: u64) -> bool {
        true
    }
}

/// How much of what there is a system shows to a search.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Scope {
    /// All of it, as far as deadlocks and violations go.
    #[default]
    Whole,
    /// Some steps are left out: what is found is real, what is not found proves nothing.
    Part,
    /// States that differ are identified, with or without steps left out.
    Folded,
}

/// A system that can be searched.
pub trait System {
    /// The number of words of a state; the same for all states.
    fn width(&self) -> usize;

    /// How many of the first words are a state's identity. The others travel along: of
    /// two states that differ only there, the one met first stands for both.
    fn identity_words(&self) -> usize {
        self.width()
    }

    /// How much it shows. A search of less than the whole is never complete.
    fn scope(&self) -> Scope {
        Scope::Whole
    }

    /// Writes the initial state into `words`, `width` of them.
    fn initial(&self, words: &mut [Word]);

    /// Appends every executable step of `state` with its outcome to `out`, which
    /// comes in empty. The order is part of the system: searches that promise an
    /// order promise this one. `false` if the budget ended: `out` then holds some of the
    /// successors only.
    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool;

    /// The verdict on a state that has no successor.
    fn blocked(&self, state: &[Word]) -> Blocked;

    /// Which edges were executed, if the system itself records it: then a search need not
    /// look at steps for it, and may leave them unnamed.
    fn edge_coverage(&self) -> Option<&dyn EdgeCoverage> {
        None
    }

    /// Whether it applies first-step sleep sets: sleep sets (Godefroid 1996) that are not
    /// inherited. A search that expands every state once, in whatever order, may then say by
    /// which step a state was discovered ([`Successors::set_after`]), and the system leaves
    /// out steps whose targets are reached in another way, at the same distance; it counts
    /// them ([`Successors::left_out`]).
    fn has_first_step_sleep(&self) -> bool {
        false
    }

    /// Its agents and their read sets, for a per-process transition cache.
    fn agents(&self) -> Option<&dyn Agents> {
        None
    }

    /// Whether a step may be more than one statement.
    fn has_sequences(&self) -> bool {
        false
    }

    /// Which of its transitions are independent, for sleep sets and ample sets.
    fn independence(&self) -> Option<&dyn Independence> {
        None
    }

    /// Which of its agents can be moved alone, for ample sets in a search that remembers what
    /// agents do.
    fn persistent_sets(&self) -> Option<&dyn PersistentSets> {
        None
    }

    /// The parts of its states, for restrictions of a search.
    fn parts(&self) -> Option<&dyn Parts> {
        None
    }

    /// Its atomic propositions, for properties of cycles.
    fn letters(&self) -> Option<&dyn Letters> {
        None
    }

    /// Which processes take part in its steps, for fairness.
    fn participants(&self) -> Option<&dyn Participants> {
        None
    }

    /// How far its states are from what is looked for, for a best-first search.
    fn distances(&self) -> Option<&dyn Distances> {
        None
    }

    /// Which of its states are the same but for a permutation.
    fn symmetry(&self) -> Option<&dyn Symmetry> {
        None
    }

    /// Where loops can start, for a store of such states only.
    fn loop_heads(&self) -> Option<&dyn LoopHeads> {
        None
    }
}

/// Edges recorded by the system that executes them.
pub trait EdgeCoverage {
    /// Calls `mark` with agent and edge of every edge executed so far that [`Step`]s name.
    fn executed(&self, mark: &mut dyn FnMut(u32, u32));
}

/// States where loops start.
pub trait LoopHeads {
    /// Whether some process stands where a loop can start (Holzmann 1987, section 5). Every
    /// cycle of the state space goes through such a state.
    fn is_loop_head(&self, state: &[Word]) -> bool;
}

/// Lists that a thread writes all the time end so many bytes before the next one begins.
const APART: usize = 128;

/// A list of `len` values that shares no line of the cache with another list made so. Threads
/// whose lists share one wait for each other at every write: twice the time was measured.
pub fn apart<T: Clone>(value: T, len: usize) -> Vec<T> {
    let mut list = Vec::with_capacity(len + APART / size_of::<T>().max(1));
    list.resize(len, value);
    list
}
