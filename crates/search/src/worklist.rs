//! The unordered loop by one thread: states wait in a frontier, first in first out or last in
//! first out; each is expanded once, by the one [`Worker`].
//!
//! In: a system, a store that gives the words of its states back, a frontier. What the worker
//! needs is provided here: keys, room, the judgement of what it comes upon.

use crate::ample::Proviso;
use crate::frontier::Frontier;
use crate::goal::Candidate;
use crate::ledger::{Books, Ledger};
use crate::log::{Log, Way};
use crate::memory::Memory;
use crate::outcome::{FindingKind, Outcome, Statistics, Why};
use crate::rows::Rows;
use crate::store::{Decode, Key};
use crate::trails::Trails;
use crate::worker::{ErrorStep, Exit, Means, Supervisor, Worker};
use collapse::{Account, Form, Need};
use system::{Blocked, Step, StepOutcome, Successors, System, Unlimited, Word};

/// Room is made for so many states at a time, to ask less often.
const STATES_PER_ROOM: usize = 256;

/// Searches from the initial state until nothing waits.
pub(crate) fn search<T, F>(system: &dyn System, store: T, ledger: Ledger) -> Outcome
where
    T: Decode<Note = ()>,
    F: Frontier + Default,
{
    explore::<T, F>(system, store, ledger, None).outcome
}

/// What a search leaves behind.
pub(crate) struct Explored<T> {
    pub(crate) outcome: Outcome,
    pub(crate) store: T,
    /// As [`Worker::alone`].
    pub(crate) alone: Rows<2>,
}

/// The same, with ample sets if it `reduces`.
pub(crate) fn explore<T, F>(
    system: &dyn System,
    store: T,
    ledger: Ledger,
    reduces: Option<Proviso>,
) -> Explored<T>
where
    T: Decode<Note = ()>,
    F: Frontier + Default,
{
    let worker = Worker::<F>::new(system, Log::new(0, 1), ledger.limits, reduces);
    let (trails, state) = (Trails::new(system, worker.sleeps), vec![0; system.width()]);
    let mut search = Worklist { system, store, ledger, worker, trails, state };
    let mut goes_on = search.start();
    while goes_on == Ok(true) {
        goes_on = search.advance();
    }
    let end = search.settle(goes_on.map(drop));
    search.ledger.mark_recorded(system);
    search.ledger.executed.absorb(&search.worker.executed);
    search.ledger.statistics.log_bytes = search.worker.log.bytes();
    let outcome = search.ledger.outcome(&search.store, end);
    Explored { outcome, store: search.store, alone: search.worker.alone }
}

/// The step at this place among the successors of a state. All of them were fetched before:
/// nobody need be asked, and nobody may end it and lose the error.
pub(crate) fn step_at(system: &dyn System, state: &[Word], place: usize) -> (Step, StepOutcome) {
    let mut batch = Successors::new(system.width());
    system.successors(state, &mut batch, &mut Unlimited);
    batch.step(place)
}

struct Worklist<'s, 'l, T, F> {
    system: &'s dyn System,
    store: T,
    ledger: Ledger<'l>,
    worker: Worker<F>,
    trails: Trails,
    /// The state being judged.
    state: Vec<Word>,
}

impl Supervisor for Books<'_, '_> {
    #[inline(always)]
    fn account(&mut self) -> &mut dyn Account {
        &mut self.ledger.memory
    }

    #[inline(always)]
    fn interrupts(&self) -> bool {
        false
    }
}

impl<T, F> Worklist<'_, '_, T, F>
where
    T: Decode<Note = ()>,
    F: Frontier,
{
    /// Works until something has to be decided, and decides it; whether there is more to do.
    fn advance(&mut self) -> Result<bool, Why> {
        let waiting = self.worker.waiting();
        let mut books = Books { ledger: &mut self.ledger, waiting, end: Ok(()) };
        let (system, table) = (self.system, &mut self.store);
        let exit = self.worker.work(&mut Means { system, table, supervisor: &mut books });
        let spent = books.end;
        self.take_statistics();
        match exit {
            Exit::Idle => return Ok(false),
            Exit::Tick | Exit::Interrupted => self.ledger.tick(self.worker.waiting() as u64)?,
            Exit::Need(need) => self.adapt(need)?,
            Exit::Room(states) => self.make_room(states)?,
            Exit::Blocked(verdict, key, way) => self.judge(verdict, (key, way))?,
            Exit::Errors => self.report_errors()?,
            Exit::Budget => spent?,
            Exit::States => return Err(Why::States),
            Exit::Full => return Err(self.ledger.memory.full()),
        }
        Ok(true)
    }

    fn start(&mut self) -> Result<bool, Why> {
        self.system.initial(&mut self.state);
        let mut form = vec![0; self.store.stride()];
        while let Err(need) = self.store.start(&self.state, &mut form) {
            self.adapt(need)?;
        }
        self.worker.start(&form);
        Ok(true)
    }

    /// Enters what the worker counted into the books.
    fn take_statistics(&mut self) {
        let found = std::mem::take(&mut self.worker.statistics);
        let Statistics { states, matched, depth, truncated, spared, left_out, asked, .. } =
            &mut self.ledger.statistics;
        *states += found.states;
        *matched += found.matched;
        *depth = found.depth.max(*depth);
        *truncated += found.truncated;
        *spared += found.spared;
        *left_out += found.left_out;
        *asked += found.asked;
    }

    /// Counts what is still in flight and reports what still waits: an error in
    /// hand is never lost because the search ends for another reason.
    fn settle(&mut self, end: Result<(), Why>) -> Result<(), Why> {
        match end {
            Ok(()) => {}
            Err(Why::FirstError | Why::Errors) => {
                self.worker.drain(&mut self.store);
                self.take_statistics();
            }
            Err(_) => {
                // Ends at the latest with the last error; `end` came first.
                let _ = self.report_errors();
            }
        }
        end
    }

    /// The store changes all keys.
    #[cold]
    fn adapt(&mut self, need: Need) -> Result<(), Why> {
        let worker = &mut self.worker;
        worker.outdate_cache();
        let mut held = |change: &mut dyn FnMut(&mut Word, Form)| worker.change_keys(change);
        self.store.adapt(need, &mut self.ledger.memory, &mut held)
    }

    fn judge(&mut self, verdict: Blocked, (key, way): (Key, Way)) -> Result<(), Why> {
        self.store.decode(key, &mut self.state);
        let kind = FindingKind::Blocked(verdict);
        let candidate = Candidate { kind, state: &self.state, step: None };
        let (trails, logs) = (&mut self.trails, [&self.worker.log]);
        self.ledger.report(candidate, || trails.of(self.system, &logs, way))
    }

    fn report_errors(&mut self) -> Result<(), Why> {
        let logs = [&self.worker.log];
        for ErrorStep { key, way, place } in self.worker.errors() {
            self.store.decode(key, &mut self.state);
            let (step, outcome) = step_at(self.system, &self.state, place);
            let kind = FindingKind::Step(outcome);
            let candidate = Candidate { kind, state: &self.state, step: Some(step) };
            self.ledger.report(candidate, || {
                let mut steps = self.trails.of(self.system, &logs, way);
                steps.push(step);
                steps
            })?;
        }
        self.worker.clear_errors();
        Ok(())
    }

    /// Makes room for these states and, if that is possible, for many more.
    #[cold]
    fn make_room(&mut self, states: usize) -> Result<(), Why> {
        self.worker.room = 0;
        let many = states + STATES_PER_ROOM;
        self.try_room(many).or_else(|_| self.try_room(states)).or_else(|why| {
            let freed = self.worker.give_up_cache(&mut self.ledger.memory);
            if freed { self.try_room(states) } else { Err(why) }
        })
    }

    fn try_room(&mut self, states: usize) -> Result<(), Why> {
        let memory: &mut Memory = &mut self.ledger.memory;
        self.store.make_room(states, memory)?;
        self.worker.log.make_room(states, memory)?;
        self.worker.frontier.make_room(states, memory)?;
        if self.worker.lists_alone() {
            // Each of the states that there may be is left to one process at most once.
            let all = self.ledger.statistics.states as usize + states;
            self.worker.alone.make_room(all - self.worker.alone.len(), memory)?;
        }
        self.worker.room = states;
        Ok(())
    }
}
