//! Which transitions are independent: the ground of sleep sets, and of persistent and ample
//! sets (Godefroid 1996; Holzmann and Peled 1994).

use crate::{Successors, Word};
use std::ops::Range;

/// A transition as such, whatever the state: equal in two states iff the same processes
/// take the same edges with the same accesses. Numbered by its system. A
/// [`Step`](crate::Step), in contrast, is named by its place among the steps of one state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Transition(pub u32);

/// A system that knows which of its transitions are independent. It writes the transition of
/// each step into a buffer that [has transitions](Successors::with_transitions).
pub trait Independence {
    /// Whether two transitions that are both enabled in some state may fail to commute
    /// there: one disables or changes the other, or the order matters. When in doubt, yes.
    fn dependent(&self, one: Transition, other: Transition) -> bool;

    /// How many edges a transition executes; asked only of systems with
    /// [agents](crate::Agents).
    fn weight(&self, _: Transition) -> u16 {
        1
    }

    /// Appends the persistent sets of single processes among the steps of `batch`, which has
    /// transitions and all steps of `state`: for each process that can be moved alone, the
    /// places of its steps. As long as that process does not move, the others cannot change
    /// what it can do, and whatever they do commutes with it. All its steps lead to states.
    /// None if nothing is known, or if no other process can move.
    fn ample(&self, _state: &[Word], _batch: &Successors, _found: &mut Vec<Range<usize>>) {}
}

/// A system with [agents](crate::Agents) that knows which of them can be moved alone, for a
/// search that remembers what agents do. What an agent is asked in a state, its *present*, has
/// a number. It can be moved alone where no other agent, from where that one stands, may ever
/// disturb this: where its present is in the *future* of no other.
pub trait PersistentSets {
    /// The number of the present of an agent, which the words that it reads decide. 0 if it is
    /// never moved alone there: it has no step, or nothing is known of what it is asked.
    fn present(&self, agent: usize, state: &[Word]) -> u16;

    /// How many presents have numbers so far.
    fn presents(&self) -> u16;

    /// The future of an agent from where it stands in `state`: bit `n` if it may disturb the
    /// present of number `n` of another agent. The row has a bit for every number so far.
    fn future(&self, agent: usize, state: &[Word], row: &mut Vec<Word>);
}
