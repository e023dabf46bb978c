//! Systems whose steps are those of agents that read a few words of the state only.

use crate::{Successors, Word};

/// A system whose steps in a state are those of its agents, one agent after the other, each
/// decided by a few words of the state, the agent's read set. In states that agree on those
/// words the agent has the same steps, with the same changes of these words and of no others:
/// what a per-process transition cache needs to know.
///
/// What holds only if nobody has a step, such as a timeout, is no step of an agent: a state
/// in which no agent has one is to be asked for as a whole.
///
/// A system with agents has a [first-step sleep set](crate::System::has_first_step_sleep) and
/// records its [`EdgeCoverage`](crate::EdgeCoverage) itself.
pub trait Agents {
    /// How many agents there are, in the order of their steps.
    fn count(&self) -> usize;

    /// The word whose value decides which other words the agent reads: the one with its
    /// control location.
    fn location_word(&self, agent: usize) -> usize;

    /// Calls `read` with every word, that of [`Agents::location_word`] among them, that decides
    /// the steps of the agent in states that have the same word there as this one; what its
    /// steps change is among them. `false` if that is not known.
    fn read_set(&self, agent: usize, state: &[Word], read: &mut dyn FnMut(usize)) -> bool;

    /// Appends all steps of an agent to `out`, which is clear: with their tags if it is unnamed,
    /// else with names that mean nothing in the state as a whole, but for their weights. `false`
    /// if they cannot be listed by themselves; `out` means nothing then.
    fn steps_of(&self, agent: usize, state: &[Word], out: &mut Successors) -> bool;

    /// The first-step sleep set of a state discovered by a step of this tag: bit `t` for a step
    /// of tag `t`. The row has a bit for every tag there is.
    fn first_step_sleep_set(&self, after: u32, row: &mut Vec<Word>);
}
