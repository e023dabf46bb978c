//! The point of no return of a run that ends in a failure: the last step from which the failure
//! could still be avoided, and a step that avoids it.
//!
//! A *failure* is what the caller says: steps that end in an error, states at rest that are one. A
//! state is *doomed* if every maximal run from it ends in a failure, that is:
//!
//! - no infinite run starts there,
//! - no run from there comes to rest in a state that is no failure, and
//! - no run from there ends in an error that is no failure of this kind.
//!
//! The states of the run from its last one backwards are doomed up to some state, and none before
//! it is: a run that leads to a state that is not doomed is the beginning of one that avoids the
//! failure. So there is one step of the run that leads from a state that is not doomed into one that
//! is, the point of no return, unless the initial state is doomed.
//!
//! # The search
//!
//! Depth first, from the states of the run, the last one first; what is found out about a state
//! stays. A state is *closed* as doomed when all its steps end in a failure or lead to closed
//! states. The search ends at the first *escape*: a step to a state on the current path, a state at
//! rest that is no failure, a step into another error.
//!
//! Closed states are doomed, by induction on the order in which they are closed: each step of one
//! ends in a failure or leads to a state that was closed before it, so every run from there visits
//! finitely many states, and ends in a failure. A state from which an escape was found is not doomed: it
//! leads along the path to the escape, and a step to the path closes a cycle, which can be repeated
//! for ever. If the search from a state ends without an escape, the state was closed. So the
//! answer is exact, and all that is expanded is doomed but one path: where few states
//! are doomed, as in most models, the search is over at once, however large the state space is.
//!
//! All steps of every state are taken. A reduction keeps failures, but not which states are doomed:
//! the steps that it leaves out may be the ones that avoid them.

use crate::goal::Errors;
use crate::ledger::Ledger;
use crate::plan::{Request, limits};
use crate::store::States;
use crate::{FindingKind, Watch, Why};
use system::{Step, Successors, System, Word};

/// Where a failure became unavoidable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoReturn {
    /// By this step of the run, counted from 0.
    Step {
        /// Which one.
        at: usize,
        /// A step of the same state that avoids it.
        instead: Step,
        /// What can come of it.
        escape: Escape,
    },
    /// It is so from the start: every run ends in it.
    Start,
    /// That is not known, because the search ended before it was.
    Undecided(Why),
}

/// How a run avoids a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Escape {
    /// It goes on for ever.
    Endless,
    /// It comes to rest where that is no failure.
    Rest,
    /// It ends in an error of another kind.
    OtherError,
}

/// Looks for the point of no return of a run, within the limits of `budget` (states, memory).
/// `None` if the system cannot take the steps of the run, or they do not lead into a failure.
pub fn no_return(
    system: &dyn System,
    run: &[Step],
    fails: &dyn Fn(FindingKind) -> bool,
    budget: &Request,
    watch: &mut dyn Watch,
) -> Option<NoReturn> {
    let (width, mut goal) = (system.width(), Errors::All);
    let ledger = Ledger::new(width, limits(budget), &mut goal, watch);
    let states = States::new(width, system.identity_words());
    let batch = Successors::new(width);
    let (marks, path, open) = (Vec::new(), Vec::new(), Vec::new());
    let mut search = Doom { system, fails, ledger, states, marks, path, open, batch };
    match search.states_of(run) {
        Ok(states) => Some(search.last_escape(&states?).unwrap_or_else(NoReturn::Undecided)),
        Err(why) => Some(NoReturn::Undecided(why)),
    }
}

/// What is known of a state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    OnPath,
    Doomed,
}

/// A state of the current path: the steps of it that are still to be taken are those of `open`
/// from here on.
#[derive(Clone, Copy)]
struct Frame {
    state: u64,
    open: usize,
}

struct Doom<'a> {
    system: &'a dyn System,
    fails: &'a dyn Fn(FindingKind) -> bool,
    ledger: Ledger<'a>,
    states: States,
    /// By the numbers of states.
    marks: Vec<Mark>,
    path: Vec<Frame>,
    /// Steps to be taken, and where they lead, of all states of the path.
    open: Vec<(Step, u64)>,
    batch: Successors,
}

/// Whether two steps of one state are the same.
fn is_same(one: &Step, other: &Step) -> bool {
    (one.agent, one.edge, one.choice) == (other.agent, other.edge, other.choice)
}

impl Doom<'_> {
    /// The states of a run, without one behind a step into an error; `None` if it is no run or no
    /// failure.
    fn states_of(&mut self, run: &[Step]) -> Result<Option<Vec<u64>>, Why> {
        let mut state = vec![0; self.system.width()];
        self.system.initial(&mut state);
        let mut all = vec![self.number(&state)?];
        for (at, step) in run.iter().enumerate() {
            self.expand(*all.last().expect("there is the initial one"))?;
            let place = self.batch.steps().position(|own| is_same(&own, step));
            let Some(place) = place else { return Ok(None) };
            let outcome = self.batch.outcome(place);
            if (self.fails)(FindingKind::Step(outcome)) || !outcome.enters() {
                let is_end = at + 1 == run.len() && (self.fails)(FindingKind::Step(outcome));
                return Ok(is_end.then_some(all));
            }
            state.copy_from_slice(self.batch.state(place));
            self.ledger.memory.grow(&mut all, 1)?;
            all.push(self.number(&state)?);
        }
        self.expand(*all.last().expect("there is the initial one"))?;
        let fails = self.batch.is_empty() && self.rests_in_failure(&state);
        Ok(fails.then_some(all))
    }

    /// The answer for a run through these states.
    fn last_escape(&mut self, run: &[u64]) -> Result<NoReturn, Why> {
        for (at, state) in run.iter().enumerate().rev() {
            if let Some((instead, escape)) = self.escape(*state)? {
                return Ok(NoReturn::Step { at, instead, escape });
            }
        }
        Ok(NoReturn::Start)
    }

    /// The first step of a run from a state that avoids the failure; none if it is doomed.
    fn escape(&mut self, start: u64) -> Result<Option<(Step, Escape)>, Why> {
        if self.marks[start as usize] == Mark::Doomed {
            return Ok(None);
        }
        let mut first = None;
        if let Some((step, escape)) = self.enter(start)? {
            // A state of the run that has no step is its last one, and a failure.
            return Ok(step.map(|step| (step, escape)));
        }
        while let Some(frame) = self.path.last().copied() {
            if self.open.len() == frame.open {
                self.marks[frame.state as usize] = Mark::Doomed;
                self.path.pop();
                continue;
            }
            let (step, target) = self.open.pop().expect("some step is open");
            if self.marks[target as usize] == Mark::Doomed {
                continue;
            }
            if self.path.len() == 1 {
                first = Some(step);
            }
            if let Some((_, escape)) = self.enter(target)? {
                return Ok(first.map(|step| (step, escape)));
            }
        }
        Ok(None)
    }

    /// Puts a state on the path, unless it shows an escape: the step to it, and none if the
    /// state itself is at rest.
    fn enter(&mut self, state: u64) -> Result<Option<(Option<Step>, Escape)>, Why> {
        self.expand(state)?;
        if self.batch.is_empty() {
            let words = self.states.get(state);
            if !self.rests_in_failure(words) {
                return Ok(Some((None, Escape::Rest)));
            }
        }
        self.marks[state as usize] = Mark::OnPath;
        let frame = Frame { state, open: self.open.len() };
        let batch = std::mem::replace(&mut self.batch, Successors::new(0));
        let escape = self.list(&batch);
        self.batch = batch;
        if let Some((step, escape)) = escape? {
            return Ok(Some((Some(step), escape)));
        }
        // The first step of the state is taken first.
        self.open[frame.open..].reverse();
        self.ledger.memory.grow(&mut self.path, 1)?;
        self.path.push(frame);
        Ok(None)
    }

    /// Lists the steps to be taken of a batch, unless one is an escape.
    fn list(&mut self, batch: &Successors) -> Result<Option<(Step, Escape)>, Why> {
        self.ledger.memory.grow(&mut self.open, batch.len())?;
        for (step, outcome, words) in batch.iter() {
            if (self.fails)(FindingKind::Step(outcome)) {
                continue;
            }
            if !outcome.enters() {
                return Ok(Some((step, Escape::OtherError)));
            }
            let target = self.number(words)?;
            match self.marks[target as usize] {
                Mark::Doomed => {}
                Mark::OnPath => return Ok(Some((step, Escape::Endless))),
                Mark::New => self.open.push((step, target)),
            }
        }
        Ok(None)
    }

    fn rests_in_failure(&self, state: &[Word]) -> bool {
        (self.fails)(FindingKind::Blocked(self.system.blocked(state)))
    }

    /// The number of a state.
    fn number(&mut self, state: &[Word]) -> Result<u64, Why> {
        self.states.make_room(1, &mut self.ledger.memory)?;
        self.ledger.memory.grow(&mut self.marks, 1)?;
        let (number, is_new) = self.states.add(state);
        if is_new {
            self.marks.push(Mark::New);
            self.ledger.create(0)?;
        }
        Ok(number)
    }

    /// Fetches the steps of a state.
    fn expand(&mut self, state: u64) -> Result<(), Why> {
        self.batch.clear();
        let (words, batch) = (self.states.get(state), &mut self.batch);
        self.ledger.successors(self.system, (words, batch), self.path.len())?;
        self.ledger.fire(self.batch.len(), self.path.len())
    }
}
