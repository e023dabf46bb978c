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

    /// Adds the persistent sets of processes among the steps of `batch`, which has
    /// transitions and all steps of `state`: for each process that can be moved alone, the
    /// places of its steps; if there is none, for each group of processes. As long as these do
    /// not move, the others cannot change what they can do, and whatever they do commutes
    /// with it. All their steps lead to states. None if nothing is known, or if no other process
    /// can move.
    fn ample(&self, _state: &[Word], _batch: &Successors, _found: &mut Candidates) {}
}

/// Sets of steps of one state, each by the places of its steps, in order.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    ranges: Vec<Range<usize>>,
    /// Where the ranges of each set end.
    ends: Vec<usize>,
}

impl Candidates {
    /// Forgets all sets.
    pub fn clear(&mut self) {
        self.ranges.clear();
        self.ends.clear();
    }

    /// Adds the set of the steps in all these ranges.
    pub fn push(&mut self, ranges: impl IntoIterator<Item = Range<usize>>) {
        self.ranges.extend(ranges);
        self.ends.push(self.ranges.len());
    }

    /// Whether there is no set.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The ranges of a set.
    pub fn get(&self, at: usize) -> Option<&[Range<usize>]> {
        let end = *self.ends.get(at)?;
        let first = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.ranges[first..end])
    }

    /// The ranges of each set.
    pub fn iter(&self) -> impl Iterator<Item = &[Range<usize>]> {
        (0..self.ends.len()).filter_map(|at| self.get(at))
    }
}

/// A system with [agents](crate::Agents) that knows which of them can be moved alone, for a
/// search that remembers what agents do. What an agent is asked in a state, its *present*, has
/// a number. It can be moved alone where no other agent, from where that one stands, may ever
/// disturb this: where its present is in the *future* of no other. Where there is none, groups of
/// agents may do ([`Stubborn`](crate::Stubborn)).
pub trait PersistentSets {
    /// The number of the present of an agent, which the words that it reads decide. 0 if nothing
    /// is known of what it is asked.
    fn present(&self, agent: usize, state: &[Word]) -> u16;

    /// How many presents have numbers so far.
    fn presents(&self) -> u16;

    /// The future of an agent from where it stands in `state`: bit `n` if it may disturb the
    /// present of number `n` of another agent. The row has a bit for every number so far. Where that
    /// is is the answer: an agent that stands there has this future.
    fn future(&self, agent: usize, state: &[Word], row: &mut Vec<Word>) -> usize;
}
