//! Where the net begins: behind the last `run`.

use super::{Unfit, rules, unfit};
use base::{Span, reach};
use program::reference::{self, Process, State};
use program::{Action, Edge, EdgeId, Expr, LocationId, Program};
use std::collections::BTreeSet;

/// Longer beginnings are no beginnings.
const STEPS_MAX: usize = 10_000;

/// The state from which on no process is created, and the steps to it.
pub(super) struct Start {
    pub(super) state: State,
    pub(super) choices: Vec<usize>,
}

/// Executes what comes before the last `run`, as long as there is only one step to take.
pub(super) fn start(program: &Program) -> Result<Start, Unfit> {
    let mut state = match reference::initial(program, &rules()) {
        Ok(state) => state,
        Err(failure) => {
            // INVARIANT: a value fails at its declaration, a process at its proctype.
            let mut kinds = program.start.iter().map(|id| program.proctypes[*id].span);
            let span = failure.span.or(kinds.next_back()).expect("nothing else fails at the start");
            return unfit(span, "an initial value that fails");
        }
    };
    let mut choices = Vec::new();
    while let Some(span) = creation(program, &state) {
        let steps = reference::steps(program, &rules(), &state);
        let one = <[_; 1]>::try_from(steps).ok().map(|[step]| step);
        match one.filter(|step| !step.ends && choices.len() < STEPS_MAX) {
            Some(step) => state = step.state,
            None => return unfit(span, DYNAMIC),
        }
        choices.push(0);
    }
    Ok(Start { state, choices })
}

const DYNAMIC: &str = "a `run` when other things can happen too (one atomic block of `run`s at \
                       the beginning of `init` is possible)";

/// A `run` that some process may still come to.
fn creation(program: &Program, state: &State) -> Option<Span> {
    state.processes.iter().find_map(|process| creation_of(program, process))
}

fn creation_of(program: &Program, process: &Process) -> Option<Span> {
    let kind = &program.proctypes[process.proctype];
    let creates = |expr: &Expr| matches!(expr, Expr::Run { .. });
    let reached = reachable(program, process);
    let edges = reached.iter().flat_map(|location| kind.edges_from(*location));
    let mut creating = edges.filter(|(_, edge)| edge.action.mentions(&creates));
    creating.next().map(|(_, edge)| edge.span)
}

/// The locations a process may still come to, with those within a `d_step`.
pub(super) fn reachable(program: &Program, process: &Process) -> BTreeSet<LocationId> {
    let kind = &program.proctypes[process.proctype];
    let inner = |edge: &Edge| match edge.action {
        Action::Deterministic { start, .. } => Some(start),
        _ => None,
    };
    let leads = |(_, edge): (EdgeId, &Edge)| inner(edge).into_iter().chain([edge.to]);
    reach([process.location], |at| kind.edges_from(at).flat_map(leads))
}
