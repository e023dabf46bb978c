//! The unordered loop: states wait in a frontier, first in first out or last in
//! first out; each is expanded once.
//!
//! In: a system, a store that keeps an [`Origin`] beside each state and gives its
//! words back, a frontier. What holds: a state is put into the frontier once, when
//! it is new; with a frontier by level its origin is one of the shortest ways to
//! it (S1), and findings come in the order of their distance.

use crate::frontier::Frontier;
use crate::goal::Candidate;
use crate::ledger::Ledger;
use crate::outcome::{FindingKind, Outcome, Why};
use crate::store::{Decode, Key, Seen};
use system::{Landing, Step, Successors, System, Word};

/// How a state was first reached: what a trail is made of. The step is kept as
/// its number among the parent's successors, which halves the note; the step
/// itself is worked out again for the few states on a trail.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    parent: Key,
    step: u32,
    /// 0 for the initial state only, which has no parent.
    depth: u32,
}

/// Searches from the initial state until nothing waits.
pub(crate) fn search<S, T, F>(system: &S, store: T, frontier: F, ledger: Ledger) -> Outcome
where
    S: System,
    T: Decode<Note = Origin>,
    F: Frontier,
{
    let (state, batch) = (vec![0; system.width()], Successors::new(system.width()));
    let (errors, level) = (Vec::new(), 0);
    let mut search = Worklist { system, store, frontier, ledger, state, batch, errors, level };
    let end = search.explore();
    let end = search.settle(end);
    search.ledger.outcome(&search.store, end)
}

struct Worklist<'s, 'l, S, T, F> {
    system: &'s S,
    store: T,
    frontier: F,
    ledger: Ledger<'l>,
    /// The state being expanded, and its successors.
    state: Vec<Word>,
    batch: Successors,
    /// Steps that end in an error and are not reported yet: the state they leave
    /// and their number.
    errors: Vec<(Key, u32)>,
    /// The depth of the states being expanded.
    level: u32,
}

impl<S, T, F> Worklist<'_, '_, S, T, F>
where
    S: System,
    T: Decode<Note = Origin>,
    F: Frontier,
{
    fn explore(&mut self) -> Result<(), Why> {
        self.system.initial(&mut self.state);
        self.make_room(1)?;
        let root = Origin { parent: Key(0), step: 0, depth: 0 };
        if let Seen::New(key) = self.store.insert(&self.state, root) {
            self.ledger.create(0)?;
            self.frontier.put(key);
        }
        while let Some(key) = self.frontier.take() {
            let depth = self.store.note(key).depth;
            self.turn_to(depth)?;
            self.expand(key, depth)?;
            self.store.close(key);
        }
        Ok(())
    }

    /// A step out of level `n` that ends in an error is at distance `n + 1`, as far
    /// as the states of the next level: it waits until the states at rest in its
    /// own level are judged. Without a promise of levels it waits for nothing.
    fn turn_to(&mut self, depth: u32) -> Result<(), Why> {
        if F::BY_LEVEL && depth == self.level {
            return Ok(());
        }
        self.level = depth;
        self.report_errors()
    }

    /// Reports what still waits; an error in hand is never lost because the search
    /// ends for another reason.
    fn settle(&mut self, end: Result<(), Why>) -> Result<(), Why> {
        match end {
            Ok(()) => self.report_errors(),
            Err(Why::FirstError | Why::Errors) => end,
            Err(why) => {
                // Ends at the latest with the last error; `why` came first.
                let _ = self.report_errors();
                Err(why)
            }
        }
    }

    fn expand(&mut self, key: Key, depth: u32) -> Result<(), Why> {
        self.store.decode(key, &mut self.state);
        let wanted = (self.state.as_slice(), &mut self.batch);
        self.ledger.successors(self.system, wanted, self.frontier.len())?;
        if self.batch.is_empty() {
            return self.judge(key);
        }
        if u64::from(depth) >= self.ledger.limits.depth_max {
            self.ledger.statistics.truncated += 1;
            return Ok(());
        }
        self.make_room(self.batch.len())?;
        // A path of 2^32 states does not fit any memory; if it did, its trails
        // would still be right and only the depth reported would stand still.
        let below = depth.saturating_add(1);
        (0..self.batch.len()).try_for_each(|at| self.follow(key, at, below))
    }

    fn follow(&mut self, parent: Key, at: usize, depth: u32) -> Result<(), Why> {
        let (step, landing) = self.batch.step(at);
        self.ledger.fire(step, self.frontier.len())?;
        let origin = Origin { parent, step: at as u32, depth };
        if landing != Landing::State {
            self.errors.push((parent, origin.step));
        }
        if !landing.enters() {
            self.ledger.matched();
            return Ok(());
        }
        match self.store.insert(self.batch.state(at), origin) {
            Seen::New(key) => {
                self.ledger.create(u64::from(depth))?;
                self.frontier.put(key);
            }
            Seen::OnPath(_) | Seen::Done(_) => self.ledger.matched(),
        }
        Ok(())
    }

    fn judge(&mut self, key: Key) -> Result<(), Why> {
        let kind = FindingKind::Rest(self.system.rest(&self.state));
        let candidate = Candidate { kind, state: &self.state, step: None };
        self.ledger.report(candidate, || trail(self.system, &self.store, key))
    }

    fn report_errors(&mut self) -> Result<(), Why> {
        for index in 0..self.errors.len() {
            let (key, at) = self.errors[index];
            // All of it was fetched before: nobody need be asked, and nobody may
            // end it and lose the error.
            self.store.decode(key, &mut self.state);
            self.batch.clear();
            self.system.successors(&self.state, &mut self.batch);
            let (step, landing) = self.batch.step(at as usize);
            let kind = FindingKind::Landing(landing);
            let candidate = Candidate { kind, state: &self.state, step: Some(step) };
            self.ledger.report(candidate, || {
                let mut steps = trail(self.system, &self.store, key);
                steps.push(step);
                steps
            })?;
        }
        self.errors.clear();
        Ok(())
    }

    fn make_room(&mut self, states: usize) -> Result<(), Why> {
        let memory = &mut self.ledger.memory;
        self.store.make_room(states, memory)?;
        self.frontier.make_room(states, memory)?;
        memory.grow(&mut self.errors, states)
    }
}

/// The steps that first led to a state, from the initial one.
fn trail<S, T>(system: &S, store: &T, key: Key) -> Vec<Step>
where
    S: System,
    T: Decode<Note = Origin>,
{
    let mut state = vec![0; system.width()];
    let mut batch = Successors::new(system.width());
    let mut origin = store.note(key);
    let mut steps = Vec::with_capacity(origin.depth as usize);
    while origin.depth > 0 {
        store.decode(origin.parent, &mut state);
        batch.clear();
        system.successors(&state, &mut batch);
        steps.push(batch.step(origin.step as usize).0);
        origin = store.note(origin.parent);
    }
    steps.reverse();
    steps
}
