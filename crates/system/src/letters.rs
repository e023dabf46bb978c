//! What a formula sees of a state, and what fairness sees of a step.

use crate::{Transition, Word};

/// The atomic propositions that hold in a state, as a set of bits: in the words of automata
/// theory, the letter that the run reads there.
pub type Letter = u64;

/// In the letter of a state that has no step, beside its propositions.
pub const HALTED: Letter = 1 << 63;

/// A set of processes, as bits.
pub type Processes = u128;

/// A system over atomic propositions: a Kripke structure.
pub trait Letters {
    /// The letter of a state; `None` if a proposition cannot be evaluated there.
    fn letter(&self, state: &[Word]) -> Option<Letter>;

    /// The words that decide the letter of every state, if that is known.
    fn read_set(&self) -> Option<&[usize]> {
        None
    }

    /// How far a state is from one in which the proposition of this number has this truth value:
    /// an estimate ([`crate::Distances`]); nothing if there is nothing to go by.
    fn distance(&self, _state: &[Word], _number: usize, _truth: bool) -> Option<u32> {
        None
    }
}

/// A system that knows which processes take part in its steps: whoever executes an edge of
/// it. Fairness is about them.
pub trait Participants {
    /// Whether one process takes part in every step, the one whose number is that of the agent
    /// of the step: nobody hands a message to another in a rendezvous. Then transitions need
    /// not be told apart.
    fn move_alone(&self) -> bool {
        false
    }

    /// The processes that take part in a transition; `None` if nothing is known of it.
    fn of_transition(&self, transition: Transition) -> Option<Processes>;

    /// The processes that take part in each step of `state`, in the order of its successors;
    /// `None` if some number of a process is too large for a set.
    fn of_steps(&self, state: &[Word]) -> Option<Vec<Processes>>;
}
