//! The reference interpreter as searches ask it: the steps of a state with their outcomes,
//! and what a search is told besides. Whoever writes states down, as bytes or in packed form,
//! adds only that.

use super::{Breach, last_statement, named, step_kind};
use base::Id;
use program::reference::{self, Failure, Rules, State};
use program::{EdgeId, ProctypeId, Program};
use std::cell::{Cell, RefCell};
use system::{Blocked, Budget, LastStatement, Processes, Step, StepKind, StepOutcome};

/// A program executed by the reference interpreter.
pub(super) struct Stepper<'a> {
    pub(super) program: &'a Program,
    pub(super) rules: Rules,
    executed: RefCell<Vec<Vec<bool>>>,
    long_numbers: Cell<bool>,
    uncounted: Cell<bool>,
}

/// A step.
pub(super) struct Stepped {
    pub(super) step: Step,
    pub(super) outcome: StepOutcome,
    pub(super) last_statement: LastStatement,
    /// Where it leads.
    pub(super) state: State,
}

impl<'a> Stepper<'a> {
    pub(super) fn new(program: &'a Program, rules: Rules) -> Self {
        let unexecuted = program.proctypes.iter().map(|kind| vec![false; kind.edges.len()]);
        Self {
            program,
            rules,
            executed: RefCell::new(unexecuted.collect()),
            long_numbers: Cell::new(false),
            uncounted: Cell::new(false),
        }
    }

    /// As [`super::Executor::needs_long_numbers`].
    pub(super) fn needs_long_numbers(&self) -> bool {
        self.long_numbers.get()
    }

    /// As [`super::Executor::met_uncounted_error`].
    pub(super) fn met_uncounted_error(&self) -> bool {
        self.uncounted.get()
    }

    /// As [`super::Executor::executed`].
    pub(super) fn executed(&self) -> Vec<Vec<bool>> {
        self.executed.borrow().clone()
    }

    /// Calls `emit` with every step of `before` that counts, in order. Says whether the budget
    /// lasted; if not, there is none.
    pub(super) fn steps(
        &self,
        before: &State,
        budget: &mut dyn Budget,
        mut emit: impl FnMut(Stepped),
    ) -> bool {
        let metered = Metered::new(budget);
        let steps = reference::steps_within(self.program, &self.rules, before, &metered);
        if self.rules.spin_counts && self.has_untold(before, &steps, &metered) {
            self.uncounted.set(true);
        }
        if metered.lost.get() {
            return false;
        }
        for (choice, step) in steps.into_iter().enumerate() {
            if !step.is_transition() && self.rules.spin_counts {
                self.uncounted.set(true);
                continue;
            }
            if step.failures.iter().any(|failure| failure.problem.is_overflow()) {
                self.long_numbers.set(true);
            }
            self.mark(before, &step);
            let kind = self.kind(before, &step);
            emit(Stepped {
                step: Step { kind, ..named(&step, choice) },
                outcome: outcome(&step),
                last_statement: self.last_statement(before, &step),
                state: step.state,
            });
        }
        true
    }

    /// The processes that take part in each step, in order; `None` if some of them has
    /// a number too large for a set.
    pub(super) fn participants(&self, state: &State) -> Option<Vec<Processes>> {
        let steps = reference::steps(self.program, &self.rules, state);
        let set = |step: &reference::Step| {
            let mut all = step.participants(&self.rules);
            all.try_fold(0, |set, pid| Some(set | Processes::checked_shl(1, pid as u32)?))
        };
        steps.iter().map(set).collect()
    }

    /// Judges a state in which nothing moves.
    pub(super) fn blocked(&self, state: &State) -> Blocked {
        match reference::at_rest(self.program, &self.rules, state) {
            reference::Rest::Proper => Blocked::ProperEnd,
            reference::Rest::Residual => Blocked::Residual,
            reference::Rest::InvalidEnd(_) => Blocked::Deadlock,
            reference::Rest::MessagesLeft => Blocked::MessagesLeft,
            reference::Rest::TraceUnfinished => Blocked::Violation(Breach::TraceAssertion.number()),
        }
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

    /// What the last edge of a step is.
    fn last_statement(&self, before: &State, step: &reference::Step) -> LastStatement {
        let last = step.micros.last();
        let last = last.map(|micro| micro.peer.unwrap_or((micro.pid, micro.edge)));
        let process = |pid: usize| before.processes.get(pid).or(step.state.processes.get(pid));
        let action = last.and_then(|(pid, edge)| {
            Some(&self.program.proctypes[process(pid)?.proctype].edges[edge].action)
        });
        action.map_or(LastStatement::Other, last_statement)
    }

    /// Whether a fault is passed over that no step tells of: the statement then blocks,
    /// or something else fails in the same step.
    fn has_untold(&self, state: &State, steps: &[reference::Step], budget: &Metered<'_>) -> bool {
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
}

fn outcome(step: &reference::Step) -> StepOutcome {
    let breach = |failure: &Failure| Breach::of(failure).number();
    match step.failures.last() {
        None => StepOutcome::State,
        Some(failure) if step.ends => StepOutcome::Violation(breach(failure)),
        Some(failure) => StepOutcome::Noted(breach(failure)),
    }
}

/// Edges inside a step before the budget is asked.
const EDGES_PER_ASK: u32 = 1 << 10;

/// Asks the budget on behalf of the interpreter, now and then.
struct Metered<'a> {
    budget: RefCell<&'a mut dyn Budget>,
    edges: Cell<u32>,
    lost: Cell<bool>,
}

impl<'a> Metered<'a> {
    fn new(budget: &'a mut dyn Budget) -> Self {
        let budget = RefCell::new(budget);
        Self { budget, edges: Cell::new(0), lost: Cell::new(false) }
    }
}

impl reference::Budget for Metered<'_> {
    fn lasts(&self, bytes: usize) -> bool {
        self.edges.set(self.edges.get().wrapping_add(1));
        if self.edges.get().is_multiple_of(EDGES_PER_ASK) && !self.lost.get() {
            self.lost.set(!self.budget.borrow_mut().lasts(bytes as u64));
        }
        !self.lost.get()
    }
}
