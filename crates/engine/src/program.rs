//! PROMELA programs as systems: [`Followed`] asks the reference interpreter,
//! [`Closures`] are faster and [`Swift`] is fast; all list the same steps in the same
//! order.
//!
//! A program creates processes and channels while it runs, a system's states have
//! one width. So for the first two a state is written as bytes, each value as wide as its type, and
//! padded to a width; a state that does not fit is noticed ([`Executor::is_too_narrow`])
//! and the caller starts again with a wider system. Lengths come before contents,
//! so that equal words are equal states.

mod anatomy;
mod bytes;
mod compiled;
mod packed;

pub use anatomy::has_part;
pub use compiled::{Closures, Refused, compile, compile_recording};
pub use packed::{Form, Knowledge, Swift, pack};
pub use program::reference::Breach;

use anatomy::Inward;
use base::Id;
use program::reference::{self, Failure, Rules, State};
use program::{Action, EdgeId, Expr, Proctype, ProctypeId, Program};
use std::cell::{Cell, RefCell};
use system::{Blocked, Budget, Parts, Step, StepKind, StepOutcome, Successors, System, Word};

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

/// A program run by the reference interpreter.
pub struct Followed<'a> {
    program: &'a Program,
    rules: Rules,
    initial: State,
    /// Words that tell states apart, and words that travel along.
    head: usize,
    tail: usize,
    executed: RefCell<Vec<Vec<bool>>>,
    too_narrow: Cell<bool>,
    long_numbers: Cell<bool>,
    uncounted: Cell<bool>,
    inward: Inward,
}

impl<'a> Followed<'a> {
    /// The system of `program`, with states of at least `width` words.
    ///
    /// # Errors
    /// The initial values of the program fail.
    pub fn new(program: &'a Program, rules: Rules, width: usize) -> Result<Self, Failure> {
        let initial = reference::initial(program, &rules)?;
        let head = head(program, &rules, &initial, width);
        Ok(Self {
            program,
            rules,
            initial,
            head,
            tail: bytes::tail_words(program, &rules),
            executed: RefCell::new(unexecuted(program)),
            too_narrow: Cell::new(false),
            long_numbers: Cell::new(false),
            uncounted: Cell::new(false),
            inward: inward(program, &rules),
        })
    }

    /// The state these words stand for.
    pub fn state(&self, words: &[Word]) -> State {
        bytes::read((self.program, &self.rules), self.head, words)
    }

    /// Writes a state into zeroed words; says whether it fits.
    fn write(&self, state: &State, words: &mut [Word]) -> bool {
        bytes::write((self.program, &self.rules), self.head, state, words)
    }

    /// Notes what a step executes, for the list of what never was.
    fn mark(&self, state: &State, step: &reference::Step) {
        let mut executed = self.executed.borrow_mut();
        let mut edge = |proctype: ProctypeId, edge: EdgeId| {
            executed[proctype.index()][edge.index()] = true;
        };
        let kind = |pid: usize| {
            let before = state.processes.get(pid).or(step.state.processes.get(pid));
            before.map(|process| process.proctype)
        };
        for micro in &step.micros {
            let both = [Some((micro.pid, micro.edge)), micro.peer];
            for (pid, taken) in both.into_iter().flatten() {
                if let Some(proctype) = kind(pid) {
                    edge(proctype, taken);
                }
            }
        }
    }

    /// What the first edge of a step does.
    fn kind(&self, before: &State, step: &reference::Step) -> StepKind {
        let Some(micro) = step.micros.first() else { return StepKind::Internal };
        let process = before.processes.get(micro.pid);
        process.map_or(StepKind::Internal, |process| {
            let proctype = &self.program.proctypes[process.proctype];
            step_kind(proctype, &proctype.edges[micro.edge].action)
        })
    }

    /// Whether a fault is passed over that no step tells of: the statement then blocks,
    /// or something else fails in the same step.
    fn has_untold(&self, state: &State, steps: &[reference::Step], budget: &Asked<'_>) -> bool {
        let kinds = |step: &reference::Step| -> Vec<Breach> {
            step.failures.iter().map(Breach::of).collect()
        };
        let told: Vec<Breach> = steps.iter().flat_map(kinds).collect();
        let mixed = |step: &reference::Step| kinds(step).windows(2).any(|two| two[0] != two[1]);
        let strict = Rules { spin_counts: false, ..self.rules };
        let all = reference::steps_within(self.program, &strict, state, budget);
        let is_untold = |kind: Breach| kind != Breach::Claim && !told.contains(&kind);
        steps.iter().any(mixed) || all.iter().flat_map(kinds).any(is_untold)
    }

    fn landing(step: &reference::Step) -> StepOutcome {
        match step.failures.last() {
            None => StepOutcome::State,
            Some(failure) if step.ends => StepOutcome::Violation(Breach::of(failure).number()),
            Some(failure) => StepOutcome::Noted(Breach::of(failure).number()),
        }
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

impl Executor for Followed<'_> {
    fn is_too_narrow(&self) -> bool {
        self.too_narrow.get()
    }

    fn needs_long_numbers(&self) -> bool {
        self.long_numbers.get()
    }

    fn met_uncounted_error(&self) -> bool {
        self.uncounted.get()
    }

    fn executed(&self) -> Vec<Vec<bool>> {
        self.executed.borrow().clone()
    }
}

impl System for Followed<'_> {
    fn width(&self) -> usize {
        self.head + self.tail
    }

    fn identity_words(&self) -> usize {
        self.head
    }

    fn initial(&self, words: &mut [Word]) {
        if !self.write(&self.initial, words) {
            self.too_narrow.set(true);
        }
    }

    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool {
        let before = self.state(state);
        let asked = Asked::new(budget);
        let steps = reference::steps_within(self.program, &self.rules, &before, &asked);
        if self.rules.spin_counts && self.has_untold(&before, &steps, &asked) {
            self.uncounted.set(true);
        }
        if asked.lost.get() {
            return false;
        }
        for (choice, step) in steps.iter().enumerate() {
            if !step.is_transition() && self.rules.spin_counts {
                self.uncounted.set(true);
                continue;
            }
            if step.failures.iter().any(|failure| failure.problem.is_overflow()) {
                self.long_numbers.set(true);
            }
            self.mark(&before, step);
            let kind = self.kind(&before, step);
            let next = out.push(Step { kind, ..named(step, choice) }, state);
            next.fill(0);
            // What does not fit cannot be read back: it is left out, and the whole
            // search is repeated anyway.
            if self.write(&step.state, next) {
                out.set_outcome(Self::landing(step));
            } else {
                self.too_narrow.set(true);
                out.take_back();
            }
        }
        true
    }

    fn blocked(&self, state: &[Word]) -> Blocked {
        match reference::at_rest(self.program, &self.rules, &self.state(state)) {
            reference::Rest::Proper => Blocked::ProperEnd,
            reference::Rest::Residual => Blocked::Residual,
            reference::Rest::InvalidEnd(_) => Blocked::Deadlock,
            reference::Rest::MessagesLeft => Blocked::MessagesLeft,
            reference::Rest::TraceUnfinished => Blocked::Violation(Breach::TraceAssertion.number()),
        }
    }

    fn parts(&self) -> Option<&dyn Parts> {
        Some(self)
    }
}

/// Edges inside a step before somebody is asked for patience.
const EDGES_PER_ASK: u32 = 1 << 10;

/// Asks for patience on behalf of the interpreter, now and then.
struct Asked<'a> {
    budget: RefCell<&'a mut dyn Budget>,
    edges: Cell<u32>,
    lost: Cell<bool>,
}

impl<'a> Asked<'a> {
    fn new(budget: &'a mut dyn Budget) -> Self {
        let budget = RefCell::new(budget);
        Self { budget, edges: Cell::new(0), lost: Cell::new(false) }
    }
}

impl reference::Patience for Asked<'_> {
    fn lasts(&self, bytes: usize) -> bool {
        self.edges.set(self.edges.get().wrapping_add(1));
        if self.edges.get().is_multiple_of(EDGES_PER_ASK) && !self.lost.get() {
            self.lost.set(!self.budget.borrow_mut().lasts(bytes as u64));
        }
        !self.lost.get()
    }
}

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

/// For each edge of each proctype that it was not executed.
fn unexecuted(program: &Program) -> Vec<Vec<bool>> {
    program.proctypes.iter().map(|kind| vec![false; kind.edges.len()]).collect()
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
