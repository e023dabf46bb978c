//! The reference interpreter as searches ask it: the steps of a state with their outcomes,
//! and what a search is told besides. Whoever writes states down, as bytes or in packed form,
//! adds only that.

use super::{Breach, named, step_kind};
use base::Id;
use program::reference::{self, Failure, Rules, State};
use program::{EdgeId, ProctypeId, Program};
use std::cell::{Cell, RefCell};
use system::{Landing, Patience, Rest, Step, StepKind};

/// A program executed by the reference interpreter.
pub(super) struct Stepper<'a> {
    pub(super) program: &'a Program,
    pub(super) rules: Rules,
    executed: RefCell<Vec<Vec<bool>>>,
    long_numbers: Cell<bool>,
    uncounted: Cell<bool>,
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

    /// Calls `emit` with every step of `before` that counts, its outcome and where it leads,
    /// in order. Says whether patience lasted; if not, there is none.
    pub(super) fn steps(
        &self,
        before: &State,
        patience: &mut dyn Patience,
        mut emit: impl FnMut(Step, Landing, State),
    ) -> bool {
        let metered = Metered::new(patience);
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
            emit(Step { kind, ..named(&step, choice) }, landing(&step), step.state);
        }
        true
    }

    /// Judges a state in which nothing moves.
    pub(super) fn rest(&self, state: &State) -> Rest {
        match reference::at_rest(self.program, &self.rules, state) {
            reference::Rest::Proper => Rest::Proper,
            reference::Rest::Residual => Rest::Residual,
            reference::Rest::InvalidEnd(_) => Rest::Deadlock,
            reference::Rest::MessagesLeft => Rest::UnspecifiedReception,
            reference::Rest::TraceUnfinished => Rest::Violation(Breach::TraceAssertion.number()),
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

    /// Whether a fault is passed over that no step tells of: the statement then blocks,
    /// or something else fails in the same step.
    fn has_untold(&self, state: &State, steps: &[reference::Step], patience: &Metered<'_>) -> bool {
        let kinds = |step: &reference::Step| -> Vec<Breach> {
            step.failures.iter().map(Breach::of).collect()
        };
        let told: Vec<Breach> = steps.iter().flat_map(kinds).collect();
        let mixed = |step: &reference::Step| kinds(step).windows(2).any(|two| two[0] != two[1]);
        let strict = Rules { spin_counts: false, ..self.rules };
        let all = reference::steps_within(self.program, &strict, state, patience);
        let is_untold = |kind: Breach| kind != Breach::Claim && !told.contains(&kind);
        steps.iter().any(mixed) || all.iter().flat_map(kinds).any(is_untold)
    }
}

fn landing(step: &reference::Step) -> Landing {
    let breach = |failure: &Failure| Breach::of(failure).number();
    match step.failures.last() {
        None => Landing::State,
        Some(failure) if step.ends => Landing::Violation(breach(failure)),
        Some(failure) => Landing::Noted(breach(failure)),
    }
}

/// Edges inside a step before somebody is asked for patience.
const EDGES_PER_ASK: u32 = 1 << 10;

/// Asks for patience on behalf of the interpreter, now and then.
struct Metered<'a> {
    patience: RefCell<&'a mut dyn Patience>,
    edges: Cell<u32>,
    lost: Cell<bool>,
}

impl<'a> Metered<'a> {
    fn new(patience: &'a mut dyn Patience) -> Self {
        let patience = RefCell::new(patience);
        Self { patience, edges: Cell::new(0), lost: Cell::new(false) }
    }
}

impl reference::Patience for Metered<'_> {
    fn lasts(&self, bytes: usize) -> bool {
        self.edges.set(self.edges.get().wrapping_add(1));
        if self.edges.get().is_multiple_of(EDGES_PER_ASK) && !self.lost.get() {
            self.lost.set(!self.patience.borrow_mut().lasts(bytes as u64));
        }
        !self.lost.get()
    }
}
