//! PROMELA programs as systems: [`Swift`] executes the packed form, [`Followed`] asks the
//! reference interpreter, which also answers for what has no packed form; all list the same
//! steps in the same order.

mod anatomy;
mod bytes;
mod compiled;
mod followed;
mod packed;
mod stepper;

pub use anatomy::has_part;
pub use compiled::{Closures, compile, compile_recording};
pub use followed::Followed;
pub use packed::{Form, Knowledge, Swift, pack};

use anatomy::Inward;
use base::Id;
use program::reference::{self, Failure, Problem, Rules, State};
use program::{Action, EdgeId, Expr, Proctype, Program};
use system::{Anatomy, Step, StepKind};

/// Why a program is not executed in packed form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// The initial values of the program fail.
    Failure(Failure),
    /// It holds something rare that only the reference interpreter does.
    Unsupported(&'static str),
}

/// A program as a system, whoever executes it.
pub trait Executor: Anatomy {
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

/// The requirement a failure of a program violates, by the number searches know.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u32)]
pub enum Breach {
    /// An `assert` of zero.
    Assertion,
    /// An index outside its array.
    Index,
    /// A division by zero.
    DivisionByZero,
    /// A channel that is none.
    Channel,
    /// Too few or too many fields.
    Arity,
    /// An atomic sequence or `d_step` that does not end, or a `d_step` that blocks.
    EndlessAtomic,
    /// Two executable edges in a `D_proctype`.
    Nondeterminism,
    /// The event trace is not followed, or must not be.
    TraceAssertion,
    /// The never claim reached its end.
    Claim,
    /// Something a process asked for does not exist: a pid, a priority.
    Reference,
}

impl Breach {
    /// Every breach, in order of its number.
    pub const ALL: [Self; 10] = [
        Self::Assertion,
        Self::Index,
        Self::DivisionByZero,
        Self::Channel,
        Self::Arity,
        Self::EndlessAtomic,
        Self::Nondeterminism,
        Self::TraceAssertion,
        Self::Claim,
        Self::Reference,
    ];

    /// What a failure breaches.
    pub fn of(failure: &Failure) -> Self {
        match failure.problem {
            Problem::Assertion => Self::Assertion,
            Problem::Index { .. } => Self::Index,
            Problem::DivisionByZero => Self::DivisionByZero,
            Problem::UninitialisedChannel(_)
            | Problem::DeadChannel(_)
            | Problem::PollOfRendezvous(_)
            | Problem::TooManyChannels => Self::Channel,
            Problem::SendArity { .. } | Problem::ReceiveArity { .. } => Self::Arity,
            Problem::EndlessAtomic
            | Problem::EndlessDeterministic
            | Problem::BlockedDeterministic
            | Problem::RendezvousInDeterministic => Self::EndlessAtomic,
            Problem::Nondeterminism => Self::Nondeterminism,
            Problem::NoMatchingEvent | Problem::AmbiguousEvent | Problem::AllEventsMatched => {
                Self::TraceAssertion
            }
            Problem::ClaimEnd => Self::Claim,
            Problem::TooManyProcesses
            | Problem::EnabledOfSelf
            | Problem::PriorityRange(_)
            | Problem::RemoteReference(_) => Self::Reference,
        }
    }

    /// The number searches know it by.
    pub fn number(self) -> u32 {
        self as u32
    }

    /// The breach with this number.
    pub fn from_number(number: u32) -> Option<Self> {
        Self::ALL.get(number as usize).copied()
    }
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
        kind: StepKind::Internal,
    }
}

/// The agent of steps in which only the claim moves.
const CLAIM: usize = 0xffff;

/// Where processes are alone with themselves: nowhere beside a claim, which moves with
/// every step, and not where SPIN's states are counted.
fn inward(program: &Program, rules: &Rules) -> Inward {
    let mut inward = program::inward(program);
    if rules.claim.is_some() || rules.spin_counts {
        inward.iter_mut().for_each(|kind| kind.iter_mut().for_each(|at| *at = false));
    }
    inward
}

/// How many words tell states apart, if `width` are wanted.
fn head(program: &Program, rules: &Rules, initial: &State, width: usize) -> usize {
    let needed = bytes::head_words(program, rules, initial);
    let head = width.max(needed);
    if head == needed && creates(program) { head + head / 2 + 4 } else { head }
}

/// Whether states can become longer than the initial one with all channels full.
fn creates(program: &Program) -> bool {
    fn runs(expr: &Expr) -> bool {
        match expr {
            Expr::Run { .. } => true,
            Expr::Unary(_, x) => runs(x),
            Expr::Binary(_, x, y) => runs(x) || runs(y),
            Expr::Choose(x, y, z) => runs(x) || runs(y) || runs(z),
            _ => false,
        }
    }
    let edges = program.proctypes.iter().flat_map(|proctype| &proctype.edges);
    edges.into_iter().any(|edge| match &edge.action {
        Action::Condition(e) | Action::Assign(_, e) => runs(e),
        _ => false,
    })
}
