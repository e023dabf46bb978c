//! The exhaustive search by several threads with work stealing: one system, one stack and its
//! waves each, one store for all.
//!
//! What a search without findings says does not depend on who met a state first:
//! its states, matched edges and transitions are those of one thread. A search that
//! comes upon anything to report is therefore given up and done again by one thread,
//! breadth first: findings and trails are the same in every run.
//!
//! INVARIANT: a worker reads the store only between [`Shared::work`]'s locks, so
//! whoever holds the store for itself may change every key: those in the table, on
//! the desks and on the shares.

mod desk;

use crate::memory::Memory;
use crate::{Executed, Outcome, Progress, Statistics, Stop, Watch, Why};
use collapse::{Collapse, Form, Held, Need};
use desk::{Desk, Exit};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};
use system::{System, Word};

/// How many states a worker may add before it asks again.
const QUOTA: usize = 1024;

/// A state to expand, and the tag of the step by which it was discovered.
#[derive(Clone, Copy, Debug)]
struct Task {
    key: Word,
    depth: u64,
    tag: u16,
}

/// What the workers share.
struct Shared {
    store: RwLock<Collapse>,
    memory: Mutex<Memory>,
    desks: Vec<Mutex<Desk>>,
    shares: Vec<Mutex<Vec<Task>>>,
    /// How many states may still be added before the table has to grow.
    room: AtomicUsize,
    /// How many want the store for themselves: the others let go of it.
    pausing: AtomicUsize,
    idle: AtomicUsize,
    states: AtomicU64,
    matched: AtomicU64,
    over: AtomicBool,
    end: Mutex<Option<End>>,
}

/// What ended a search before everything was expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// There is something to report.
    Finding,
    Why(Why),
}

/// Searches with one thread for each of the others and this one for the first
/// system; `None` if there is something to report.
pub(crate) fn search(
    first: &dyn System,
    others: &mut [&mut (dyn System + Send)],
    memory_bytes_max: Option<u64>,
    watch: &mut dyn Watch,
) -> Option<Outcome> {
    let memory = Memory::watched(memory_bytes_max, watch);
    let shared = Shared::new(first, others.len() + 1, memory);
    shared.start(first);
    let mut tick = |progress: &Progress| {
        lock(&shared.memory).tick(watch);
        watch.tick(progress)
    };
    std::thread::scope(|scope| {
        for (other, system) in others.iter_mut().enumerate() {
            let shared = &shared;
            scope.spawn(move || shared.run(other + 1, &**system, &mut |_| None));
        }
        shared.run(0, first, &mut tick);
    });
    let mut outcome = shared.outcome()?;
    let others = others.iter().map(|system| &**system as &dyn System);
    for coverage in std::iter::once(first).chain(others).filter_map(System::edge_coverage) {
        coverage.executed(&mut |agent, edge| outcome.executed.mark_edge(agent, edge));
    }
    Some(outcome)
}

impl Shared {
    fn new(system: &dyn System, workers: usize, memory: Memory) -> Self {
        Self {
            store: RwLock::new(Collapse::new(system.width(), workers)),
            memory: Mutex::new(memory),
            desks: (0..workers).map(|_| Mutex::new(Desk::new(system))).collect(),
            shares: (0..workers).map(|_| Mutex::default()).collect(),
            room: AtomicUsize::new(0),
            pausing: AtomicUsize::new(0),
            idle: AtomicUsize::new(0),
            states: AtomicU64::new(0),
            matched: AtomicU64::new(0),
            over: AtomicBool::new(false),
            end: Mutex::new(None),
        }
    }

    /// Puts the initial state on the first desk.
    fn start(&self, system: &dyn System) {
        let mut state = vec![0; system.width()];
        system.initial(&mut state);
        loop {
            let key = lock(&self.desks[0]).start(&read(&self.store), &state);
            match key {
                Ok(()) => return,
                Err(need) => self.settle(Exit::Need(need)),
            }
            if self.over.load(Ordering::Relaxed) {
                return;
            }
        }
    }

    /// One worker, until all have nothing to do or the search is over.
    fn run(
        &self,
        worker: usize,
        system: &dyn System,
        tick: &mut dyn FnMut(&Progress) -> Option<Stop>,
    ) {
        while !self.over.load(Ordering::Relaxed) {
            let exit = self.work(worker, system);
            self.ask(tick);
            match exit {
                Exit::Tick => {}
                Exit::Pause => std::thread::yield_now(),
                Exit::Idle => self.look_for_work(worker, tick),
                exit => self.settle(exit),
            }
        }
    }

    /// Expands states while nobody wants the store.
    fn work(&self, worker: usize, system: &dyn System) -> Exit {
        let store = read(&self.store);
        let mut desk = lock(&self.desks[worker]);
        let exit = desk.work(self, worker, &store, system);
        self.states.fetch_add(std::mem::take(&mut desk.new_states), Ordering::Relaxed);
        self.matched.fetch_add(std::mem::take(&mut desk.new_matched), Ordering::Relaxed);
        exit
    }

    /// Provides what a worker asked for, with the store for itself.
    fn settle(&self, exit: Exit) {
        self.pausing.fetch_add(1, Ordering::Relaxed);
        let mut store = self.store.write().unwrap_or_else(PoisonError::into_inner);
        let mut desks: Vec<_> = self.desks.iter().map(lock).collect();
        let settled = match exit {
            Exit::Need(need) if !store.provides(need) => self.adapt(need, &mut store, &mut desks),
            Exit::Room(states) => self.grow(states, &mut store, &mut desks),
            Exit::Finding => {
                self.stop(End::Finding);
                Ok(())
            }
            Exit::Full => Err(Why::Memory),
            _ => Ok(()),
        };
        self.pausing.fetch_sub(1, Ordering::Relaxed);
        if let Err(why) = settled {
            self.stop(End::Why(why));
        }
    }

    fn adapt(
        &self,
        need: Need,
        store: &mut Collapse,
        desks: &mut [MutexGuard<Desk>],
    ) -> Result<(), Why> {
        let mut held = |change: &mut dyn FnMut(&mut Word, Form)| {
            desks.iter_mut().for_each(|desk| desk.change_keys(change));
            for share in &self.shares {
                lock(share).iter_mut().for_each(|task| change(&mut task.key, Form::Key));
            }
        };
        let held: &mut Held = &mut held;
        let adapted = store.adapt(need, &mut *lock(&self.memory), held);
        desks.iter_mut().for_each(|desk| desk.outdate());
        adapted.map_err(|_| Why::Memory)
    }

    /// Books the states added and makes room for more. What a worker has left of its
    /// quota is taken back.
    fn grow(
        &self,
        states: usize,
        store: &mut Collapse,
        desks: &mut [MutexGuard<Desk>],
    ) -> Result<(), Why> {
        let table = store.table_mut();
        for desk in desks.iter_mut() {
            table.book(std::mem::take(&mut desk.unbooked));
            desk.quota = 0;
        }
        let memory = &mut *lock(&self.memory);
        let many = states + QUOTA * self.desks.len();
        table
            .make_room(many, memory)
            .or_else(|_| table.make_room(states, memory))
            .or_else(|full| {
                let give_up = |freed, desk: &mut MutexGuard<Desk>| desk.give_up(memory) | freed;
                let freed = desks.iter_mut().fold(false, give_up);
                if freed { table.make_room(states, memory) } else { Err(full) }
            })
            .map_err(|_| Why::Memory)?;
        self.room.store(table.len_max() - table.len(), Ordering::Relaxed);
        Ok(())
    }

    /// Takes from the room of the table; how many states may be added now.
    fn reserve(&self, states: usize) -> usize {
        let take = |room: usize| (room >= states).then(|| room - states.max(QUOTA.min(room)));
        let taken = self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        taken.map_or(0, |room| states.max(QUOTA.min(room)))
    }

    /// Takes back what this worker shares, or takes what another one does, or
    /// finds that nobody has anything. Who is idle shares nothing, and a thief stops
    /// being idle before he lets go of the share: so if all are idle, all is done.
    fn look_for_work(&self, worker: usize, tick: &mut dyn FnMut(&Progress) -> Option<Stop>) {
        if self.take_over(worker, worker, || {}) {
            return;
        }
        self.idle.fetch_add(1, Ordering::SeqCst);
        let busy = || {
            self.idle.fetch_sub(1, Ordering::SeqCst);
        };
        while !self.over.load(Ordering::Relaxed) {
            if (0..self.shares.len()).any(|owner| self.take_over(worker, owner, busy)) {
                return;
            }
            if self.idle.load(Ordering::SeqCst) == self.desks.len() {
                return self.over.store(true, Ordering::SeqCst);
            }
            self.ask(tick);
            std::thread::yield_now();
        }
    }

    /// Moves what `owner` shares to the worker's desk, if there is anything. Keys
    /// do not change meanwhile, for the store is read.
    fn take_over(&self, worker: usize, owner: usize, found: impl Fn()) -> bool {
        let _store = read(&self.store);
        let mut desk = lock(&self.desks[worker]);
        let mut share = lock(&self.shares[owner]);
        if share.is_empty() {
            return false;
        }
        found();
        if let Err(why) = lock(&self.memory).grow(&mut desk.stack, share.len()) {
            self.stop(End::Why(why));
        }
        desk.stack.append(&mut share);
        true
    }

    fn ask(&self, tick: &mut dyn FnMut(&Progress) -> Option<Stop>) {
        match tick(&self.progress()) {
            Some(Stop::Time) => self.stop(End::Why(Why::Time)),
            Some(Stop::Interrupted) => self.stop(End::Why(Why::Interrupted)),
            None => {}
        }
    }

    fn stop(&self, end: End) {
        lock(&self.end).get_or_insert(end);
        self.over.store(true, Ordering::SeqCst);
    }

    fn progress(&self) -> Progress {
        Progress {
            states: self.states.load(Ordering::Relaxed),
            matched: self.matched.load(Ordering::Relaxed),
            bytes: lock(&self.memory).held(),
            ..Progress::default()
        }
    }

    fn outcome(self) -> Option<Outcome> {
        let end = *lock(&self.end);
        let mut statistics = Statistics {
            states: self.states.into_inner(),
            matched: self.matched.into_inner(),
            store_bytes: read(&self.store).bytes(),
            peak_bytes: lock(&self.memory).peak(),
            helpers: self.desks.len() as u32 - 1,
            ..Statistics::default()
        };
        statistics.transitions = statistics.states + statistics.matched;
        let mut executed = Executed::default();
        for desk in self.desks {
            let desk = desk.into_inner().unwrap_or_else(PoisonError::into_inner);
            statistics.depth = statistics.depth.max(desk.depth);
            executed.absorb(&desk.executed);
        }
        let why_incomplete = match end {
            Some(End::Finding) => return None,
            Some(End::Why(why)) => vec![why],
            None => Vec::new(),
        };
        let (findings, residuals) = (Vec::new(), Vec::new());
        let coverage = crate::Coverage::Exact;
        let cache = None;
        Some(Outcome { statistics, findings, residuals, why_incomplete, executed, coverage, cache })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read(store: &RwLock<Collapse>) -> std::sync::RwLockReadGuard<'_, Collapse> {
    store.read().unwrap_or_else(PoisonError::into_inner)
}
