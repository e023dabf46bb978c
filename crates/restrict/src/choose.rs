//! Which steps of a state are followed. In: the steps of one state. Out: for each
//! whether it is kept; of a state with a step at least one is.
//!
//! Priorities after *Protocol Tracing* (1986), section 3.1: internal actions first; then
//! receives, which bring a system nearer to a deadlock with empty channels; then sends;
//! timeouts last, for they lead to many reports that mean little. It is the order of
//! [`StepKind`].

use crate::random::mix;
use std::num::NonZeroUsize;
use system::{Step, StepKind, StepOutcome, Successors};

/// How many of the steps of a state are followed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Keep {
    /// All.
    All,
    /// All steps of so many processes (scatter search).
    Processes(NonZeroUsize),
    /// One step of each process.
    OnePerProcess,
    /// One step.
    OnePerState,
}

/// Who comes first: the better kind, then the seeded number, then the declaration.
type Rank = (StepKind, u64, u32, usize);

/// Marks what is not to be followed. `number` breaks ties: none for the order of
/// declaration, else a number for the state.
pub(crate) fn choose(keep: Keep, number: Option<u64>, steps: &Successors, kept: &mut [bool]) {
    let rank = |index: usize| rank(steps.step(index).0, index, number);
    match keep {
        Keep::All => {}
        Keep::Processes(most) => {
            let mut agents: Vec<(Rank, u32)> = Vec::new();
            for (agent, index) in firsts(steps, kept, &rank) {
                agents.push((ranked_by_agent(rank(index), number), agent));
            }
            agents.sort_unstable();
            agents.truncate(most.get());
            retain(kept, |index| {
                agents.iter().any(|(_, agent)| *agent == steps.step(index).0.agent)
            });
        }
        Keep::OnePerProcess => {
            let firsts = firsts(steps, kept, &rank);
            retain(kept, |index| firsts.iter().any(|(_, first)| *first == index));
        }
        Keep::OnePerState => {
            let first = (0..kept.len()).filter(|index| kept[*index]).min_by_key(|i| rank(*i));
            retain(kept, |index| Some(index) == first);
        }
    }
    keep_errors(steps, kept);
}

fn rank(step: Step, index: usize, number: Option<u64>) -> Rank {
    let tie = number.map_or(0, |number| mix(mix(number, u64::from(step.agent)), index as u64));
    (step.kind, tie, step.agent, index)
}

/// Between processes the tie is broken for the process, not for its best step.
fn ranked_by_agent((kind, _, agent, _): Rank, number: Option<u64>) -> Rank {
    (kind, number.map_or(0, |number| mix(number, u64::from(agent))), agent, 0)
}

/// The best step of each process.
fn firsts(steps: &Successors, kept: &[bool], rank: &dyn Fn(usize) -> Rank) -> Vec<(u32, usize)> {
    let mut firsts: Vec<(u32, usize)> = Vec::new();
    for index in (0..kept.len()).filter(|index| kept[*index]) {
        let agent = steps.step(index).0.agent;
        match firsts.iter_mut().find(|first| first.0 == agent) {
            Some(first) if rank(index) < rank(first.1) => first.1 = index,
            Some(_) => {}
            None => firsts.push((agent, index)),
        }
    }
    firsts
}

fn retain(kept: &mut [bool], wanted: impl Fn(usize) -> bool) {
    kept.iter_mut().enumerate().for_each(|(index, kept)| *kept = *kept && wanted(index));
}

/// A step that is known to end in an error is followed whatever its priority.
fn keep_errors(steps: &Successors, kept: &mut [bool]) {
    for (index, kept) in kept.iter_mut().enumerate() {
        *kept |= steps.step(index).1 != StepOutcome::State;
    }
}

/// Drops the timeouts of a state where something else can move.
pub(crate) fn drop_timeouts(steps: &Successors, kept: &mut [bool]) {
    drop_unless_all(kept, |index| steps.step(index).0.kind == StepKind::Timeout);
}

/// Drops what is `unwanted`, if anything else is kept.
pub(crate) fn drop_unless_all(kept: &mut [bool], unwanted: impl Fn(usize) -> bool) {
    if (0..kept.len()).any(|index| kept[index] && !unwanted(index)) {
        retain(kept, |index| !unwanted(index));
    }
}
