//! The reference interpreter: what a program means, in the plainest code there
//! is. Fallback on purpose: nothing is packed, cached or shared. Engines are compared
//! with it step by step, and every trace is re-executed by it before anybody
//! sees it.
//!
//! In comes a program that [`verify`](crate::verify()) accepts, out come states and
//! the visible steps between them, in the order in which SPIN's verifier explores
//! them: youngest process first, escapes before the statement they guard, edges
//! in source order. A visible step may be many edges: a whole atomic sequence,
//! both halves of a rendezvous, the move of a claim in front. No program that
//! verifies makes it panic, and none makes it hang.
//!
//! Read it outside in: [`steps`] asks each process (`chain`), which follows
//! atomic sequences edge by edge (`choose`), each edge executed by `act` on a
//! state of its own, with expressions in `evaluate`.

mod act;
mod breach;
mod chain;
mod choose;
mod claim;
mod create;
mod evaluate;
mod event;
mod failure;
mod message;
mod rest;
mod single;
mod state;

pub use breach::Breach;
pub use create::initial;
pub use failure::{Failure, Problem};
pub use rest::{Rest, at_rest};
pub use single::{Inside, Move, Mover, moves, states_inside};
pub use state::{Channel, Declared, Process, State, Values, identity};

use crate::{EdgeId, Expr, ProctypeId, Program};

/// How a program is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rules {
    /// As `pan -c0` does: errors are reported and the search goes on through them
    /// where that has a meaning, and a claim is a process that `_nr_pr` counts.
    pub spin_counts: bool,
    /// Sends to full channels execute and lose the message (`-m`).
    pub lossy_sends: bool,
    /// The product with this never claim.
    pub claim: Option<ProctypeId>,
    /// Numbers of processes and channels have 16 bits instead of 8.
    pub wide: bool,
    /// Of nested `unless` the innermost escape is tried first, as in Java (`-J`), and
    /// not the outermost.
    pub inner_unless_first: bool,
    /// Channels must be empty where the system rests (`-q`).
    pub queues_empty_at_end: bool,
    /// Of the partners of a rendezvous only the sender takes part in it, as far as fairness
    /// is concerned (`pan -f`).
    pub only_senders_move: bool,
}

/// One executed edge, or the two of a rendezvous.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Micro {
    /// Who moves.
    pub pid: usize,
    /// Along which edge of its proctype.
    pub edge: EdgeId,
    /// The receiver of a rendezvous and its edge.
    pub peer: Option<(usize, EdgeId)>,
    /// What `printf` wrote.
    pub printed: String,
    /// The messages it put or took, in order; both halves of a rendezvous are one.
    pub traffic: Vec<Traffic>,
}

/// A message on its way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Traffic {
    /// Where in the list of channels its channel is.
    pub channel: usize,
    /// Put, not taken.
    pub sent: bool,
    /// Its place among the messages of the channel.
    pub slot: usize,
    /// Its fields.
    pub message: Vec<i32>,
}

/// One visible step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What the claim did first: one edge, or more if they are atomic or the
    /// system stands still. Empty without a claim.
    pub claim: Vec<EdgeId>,
    /// What the system did: a whole atomic sequence, mostly a single edge, nothing
    /// if it stands still and only the claim goes on.
    pub micros: Vec<Micro>,
    /// Where it leads; if it `ends`, where it failed.
    pub state: State,
    /// What went wrong on the way.
    pub failures: Vec<Failure>,
    /// The last failure was one that nothing follows.
    pub ends: bool,
}

impl Step {
    /// How many levels of a depth first search this is in SPIN's count: one per
    /// executed edge, so two for a rendezvous.
    pub fn depth(&self) -> usize {
        let halves = |micro: &Micro| 1 + usize::from(micro.peer.is_some());
        self.claim.len() + self.micros.iter().map(halves).sum::<usize>()
    }

    /// How many rendezvous are in it.
    pub fn rendezvous(&self) -> usize {
        self.micros.iter().filter(|micro| micro.peer.is_some()).count()
    }

    /// The processes that take part in it, by whatever each executes.
    pub fn participants(&self, rules: &Rules) -> impl Iterator<Item = usize> {
        let both = !rules.only_senders_move;
        self.micros.iter().flat_map(move |micro| {
            let peer = micro.peer.filter(|_| both).map(|(pid, _)| pid);
            std::iter::once(micro.pid).chain(peer)
        })
    }

    /// Whether it is a transition in SPIN's count. One that ends is not, except
    /// that the verifier notices an endless atomic sequence only by its depth
    /// limit, and counts the cut as a match.
    pub fn is_transition(&self) -> bool {
        let endless = |failure: &Failure| failure.problem == Problem::EndlessAtomic;
        !self.ends || self.failures.last().is_some_and(endless)
    }
}

/// Bounds the time and memory for the steps of a state, of which there may be very many.
pub trait Budget {
    /// Asked at every edge inside a step, with the bytes of the steps so far. Once
    /// it is `false` it must stay so.
    fn lasts(&self, bytes: usize) -> bool;
}

/// No bound.
struct Unlimited;

impl Budget for Unlimited {
    fn lasts(&self, _: usize) -> bool {
        true
    }
}

/// What all moves of one state have in common.
#[derive(Clone, Copy)]
struct Scene<'a> {
    program: &'a Program,
    rules: &'a Rules,
    budget: &'a dyn Budget,
    /// Nothing else can move: `timeout` is true.
    timeout: bool,
    /// Somebody wants to see the statements of a `d_step`, which may be millions.
    tells_inside: bool,
}

/// Who executes an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Actor {
    /// The process with this pid.
    Process(usize),
    /// The never claim.
    Claim,
    /// The program itself: initial values of globals, the event trace.
    Nobody,
}

/// Every visible step of `state`, in the order of SPIN's verifier. Every path
/// through an atomic sequence is a step of its own, even if two end alike.
pub fn steps(program: &Program, rules: &Rules, state: &State) -> Vec<Step> {
    steps_within(program, rules, state, &Unlimited)
}

/// As [`steps`], within a budget: if it does not last, only some of them.
pub fn steps_within(
    program: &Program,
    rules: &Rules,
    state: &State,
    budget: &dyn Budget,
) -> Vec<Step> {
    let scene = Scene { program, rules, budget, timeout: false, tells_inside: false };
    if rules.claim.is_some() {
        return claim::product(scene, state);
    }
    let prompt: Vec<Step> = system_steps(scene, state).collect();
    if prompt.iter().any(|step| is_move(rules, step)) {
        return prompt;
    }
    system_steps(Scene { timeout: true, ..scene }, state).collect()
}

/// How many steps a state has. One at a time is made: all of them together, each with its state,
/// may be more than there is memory for.
pub fn step_count(program: &Program, rules: &Rules, state: &State) -> usize {
    one_by_one(program, rules, state, |steps| steps.count())
}

/// The step of [`steps`] with this number, from 0; those before it are not kept.
pub fn nth_step(program: &Program, rules: &Rules, state: &State, number: usize) -> Option<Step> {
    one_by_one(program, rules, state, |steps| steps.nth(number))
}

/// Calls `take` with the steps of a state, made one after the other.
fn one_by_one<T>(
    program: &Program,
    rules: &Rules,
    state: &State,
    take: impl FnOnce(&mut dyn Iterator<Item = Step>) -> T,
) -> T {
    let scene = Scene { program, rules, budget: &Unlimited, timeout: false, tells_inside: false };
    if rules.claim.is_some() {
        return take(&mut claim::product(scene, state).into_iter());
    }
    let mut steps = system_steps(scene, state);
    let mut first = Vec::new();
    while let Some(step) = steps.next() {
        let prompt = is_move(rules, &step);
        first.push(step);
        // Mostly the first one: what was made is not made again.
        if prompt {
            return take(&mut first.into_iter().chain(steps));
        }
    }
    take(&mut system_steps(Scene { timeout: true, ..scene }, state))
}

/// What an expression is worth to a process, for whoever explains a state; none
/// if it fails. It must not hold a `run`. As in [`holds`], `timeout` is a function of the state.
pub fn value(
    program: &Program,
    rules: &Rules,
    state: &State,
    pid: usize,
    expr: &Expr,
) -> Option<i32> {
    let scene = still_or_not(program, rules, state, expr);
    act::Execution::new(scene, state, Actor::Process(pid)).value(expr).ok()
}

/// Whether an atomic proposition holds in a state. Nobody executes it, so it has no locals;
/// `timeout` is a function of the state alone: no process can move without it.
///
/// # Errors
/// It cannot be evaluated, as with an index out of range.
pub fn holds(
    program: &Program,
    rules: &Rules,
    state: &State,
    proposition: &Expr,
) -> Result<bool, Failure> {
    let scene = still_or_not(program, rules, state, proposition);
    let value = act::Execution::new(scene, state, Actor::Nobody).value(proposition)?;
    Ok(value != 0)
}

/// A scene in which `timeout` is true if nothing can move without it, as far as `expr` asks.
fn still_or_not<'a>(
    program: &'a Program,
    rules: &'a Rules,
    state: &State,
    expr: &Expr,
) -> Scene<'a> {
    let scene = Scene { program, rules, budget: &Unlimited, timeout: false, tells_inside: false };
    let timeout = expr.mentions(&|part| *part == Expr::Timeout)
        && !system_steps(scene, state).any(|step| is_move(rules, &step));
    Scene { timeout, ..scene }
}

/// What the processes can do, the claim aside.
fn system_steps<'a>(scene: Scene<'a>, state: &'a State) -> impl Iterator<Item = Step> + 'a {
    let youngest_first = (0..state.processes.len()).rev();
    youngest_first.flat_map(move |pid| chain::steps_of(scene, state, pid))
}

/// Whether a step executes anything at all. An error counts as an execution, but
/// one SPIN reports about a statement that it then does not execute.
fn is_move(rules: &Rules, step: &Step) -> bool {
    !(step.ends && step.failures.last().is_some_and(|failure| failure.stalls(rules)))
}
