//! PROMELA programs as systems: [`PackedProgram`] executes the packed form, [`ReferenceProgram`] asks the
//! reference interpreter, which also answers for what has no packed form; all list the same
//! steps in the same order.

mod anatomy;
mod bytes;
mod followed;
mod packed;
mod stepper;

pub use anatomy::has_part;
pub use followed::ReferenceProgram;
pub use packed::{Exchange, Form, Knowledge, PackedProgram, pack};
pub use program::reference::Breach;

use anatomy::LocalLocations;
use base::Id;
use program::reference::{self, Failure, Rules, State};
use program::{Action, EdgeId, Expr, Proctype, Program};
use system::{LastStatement, Step, StepKind, System};

/// Why a program is not executed in packed form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// The initial values of the program fail.
    Failure(Failure),
    /// It holds something rare that only the reference interpreter does.
    Unsupported(&'static str),
}

/// A program as a system, whoever executes it.
pub trait Executor: System {
    /// Whether some state did not fit: the search saw less than there is, and must
    /// be repeated with a wider system.
    fn is_too_narrow(&self) -> bool;

    /// Whether some state has more than 255 processes or channels: the search must
    /// be repeated with numbers of 16 bits.
    fn needs_long_numbers(&self) -> bool;

    /// Whether, counting as SPIN does, some error was met that SPIN's verifier does
    /// not count as a transition: it is not among the findings of the search.
    fn met_uncounted_error(&self) -> bool;

    /// Which edges of each proctype were executed so far.
    fn executed(&self) -> Vec<Vec<bool>>;
}

/// What an action does, as far as a search may care: of a `d_step` its first statement.
fn step_kind(proctype: &Proctype, action: &Action) -> StepKind {
    match action {
        Action::Send { .. } => StepKind::Send,
        Action::Receive { .. } => StepKind::Receive,
        Action::Condition(expr) if expr.mentions(&|e| *e == Expr::Timeout) => StepKind::Timeout,
        Action::Deterministic { start, .. } => {
            let first = proctype.edges_from(*start).next();
            first.map_or(StepKind::Internal, |(_, edge)| match edge.action {
                Action::Deterministic { .. } => StepKind::Internal,
                _ => step_kind(proctype, &edge.action),
            })
        }
        _ => StepKind::Internal,
    }
}

/// What kind of statement an action is.
fn last_statement(action: &Action) -> LastStatement {
    match action {
        Action::Skip => LastStatement::Jump,
        Action::Receive { .. } => LastStatement::Receive,
        Action::Send { .. } => LastStatement::Send,
        Action::Assign(..) => LastStatement::Assign,
        _ => LastStatement::Other,
    }
}

/// The step of the reference interpreter as searches know it, but for its kind. `choice`
/// is its place among the steps of its state.
pub fn named(step: &reference::Step, choice: usize) -> Step {
    let (agent, edge) = match (step.micros.first(), step.claim.first()) {
        (Some(micro), _) => (micro.pid, micro.edge),
        (None, Some(edge)) => (CLAIM, *edge),
        (None, None) => (CLAIM, EdgeId::new(0)),
    };
    Step {
        agent: agent as u32,
        edge: edge.index() as u32,
        choice: choice as u32,
        weight: u16::try_from(step.depth()).unwrap_or(u16::MAX),
        takers: u8::try_from(step.rendezvous()).unwrap_or(u8::MAX),
        kind: StepKind::Internal,
    }
}

/// The agent of steps in which only the claim moves.
const CLAIM: usize = 0xffff;

/// Where processes are alone with themselves: nowhere beside a claim, which moves with
/// every step, and not where SPIN's states are counted.
fn local(program: &Program, rules: &Rules) -> LocalLocations {
    let mut local = program::local_locations(program);
    if rules.claim.is_some() || rules.spin_counts {
        local.iter_mut().for_each(|kind| kind.iter_mut().for_each(|at| *at = false));
    }
    local
}

/// How many words tell states apart, if `width` are wanted.
fn head(program: &Program, rules: &Rules, initial: &State, width: usize) -> usize {
    let needed = bytes::head_words(program, rules, initial);
    let head = width.max(needed);
    if head == needed && creates(program) { head + head / 2 + 4 } else { head }
}

/// Whether states can become longer than the initial one with all channels full.
fn creates(program: &Program) -> bool {
    let is_run = |expr: &Expr| matches!(expr, Expr::Run { .. });
    let edges = program.proctypes.iter().flat_map(|proctype| &proctype.edges);
    edges.into_iter().any(|edge| edge.action.mentions(&is_run))
}
