//! How a state in which nothing moves is judged.

use super::{Process, Rules, State, is_move, steps};
use crate::Program;
use std::sync::Arc;

/// How a state in which nothing moves is judged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rest {
    /// A proper end.
    Proper,
    /// These processes are neither at their end nor at an `end` label.
    InvalidEnd(Vec<usize>),
    /// A proper end, but messages are left.
    Residual,
    /// Messages are left, which the rules forbid.
    MessagesLeft,
    /// The event trace is neither at its end nor at an `end` label.
    TraceUnfinished,
}

/// Judges a state in which no step moves anything. With a claim every one is a
/// proper end: the claim says what is not.
pub fn at_rest(program: &Program, rules: &Rules, state: &State) -> Rest {
    if rules.claim.is_some() {
        return Rest::Proper;
    }
    match judged(program, rules, state) {
        Rest::Proper => Rest::Proper,
        _ if fails(program, rules, state) => Rest::Proper,
        rest => rest,
    }
}

fn judged(program: &Program, rules: &Rules, state: &State) -> Rest {
    let stuck =
        |(_, process): &(usize, &Arc<Process>)| !process.kind(program).is_end(process.location);
    let stuck: Vec<usize> =
        state.processes.iter().enumerate().filter(stuck).map(|(pid, _)| pid).collect();
    let has_messages = state.channels.iter().any(|channel| !channel.messages.is_empty());
    if !stuck.is_empty() {
        Rest::InvalidEnd(stuck)
    } else if rules.queues_empty_at_end && has_messages {
        Rest::MessagesLeft
    } else if !state.processes.is_empty() && is_trace_unfinished(program, rules, state) {
        Rest::TraceUnfinished
    } else if has_messages {
        Rest::Residual
    } else {
        Rest::Proper
    }
}

/// Whether a process has a statement that can only fail. SPIN does not count that as
/// a step, but nobody waits here.
fn fails(program: &Program, rules: &Rules, state: &State) -> bool {
    rules.spin_counts && steps(program, rules, state).iter().any(|step| is_move(rules, step))
}

fn is_trace_unfinished(program: &Program, rules: &Rules, state: &State) -> bool {
    let Some((trace, at)) = program.trace.as_ref().zip(state.trace) else { return false };
    let automaton = &program.proctypes[trace.automaton];
    // SPIN asks it of a `notrace` too, where not to finish is the whole point.
    let asked = !trace.forbidden || rules.spin_counts;
    asked && !automaton.is_end(at)
}
