//! Systems whose states are made of parts, and whose steps are those of agents that look
//! at a few of the parts only.

use crate::{Successors, Word};

/// A system whose steps in a state are those of its agents, one agent after the other, each
/// decided by a few words of the state. In states that agree on those words the agent has the
/// same steps, with the same changes of these words and of no others.
///
/// What holds only if nobody has a step, such as a timeout, is no step of an agent: a state
/// in which no agent has one is to be asked for as a whole.
pub trait Divided {
    /// How many agents there are, in the order of their steps.
    fn agents(&self) -> usize;

    /// The word of which the value says what else the agent looks at.
    fn home(&self, agent: usize) -> usize;

    /// Calls `look` with every word, that of [`Divided::home`] among them, that decides
    /// the steps of the agent in states that have the same word there as this one; what its
    /// steps change is among them. `false` if that is not known.
    fn view(&self, agent: usize, state: &[Word], look: &mut dyn FnMut(usize)) -> bool;

    /// Appends all steps of an agent to `out`, which is clear: with their tags if it is unnamed,
    /// else with names that mean nothing in the state as a whole, but for their weights. `false`
    /// if they cannot be told by themselves; `out` means nothing then.
    fn steps_of(&self, agent: usize, state: &[Word], out: &mut Successors) -> bool;

    /// The tags of the steps that a state discovered by a step of this tag leaves out: bit `t`
    /// for tag `t`. The row has a bit for every tag there is.
    fn left_out(&self, after: u32, row: &mut Vec<Word>);
}
