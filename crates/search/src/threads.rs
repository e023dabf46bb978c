//! The unordered loop by several threads: one system and one [`Worker`] each, last in first
//! out, and one table of the known states for all.
//!
//! Work sharing: who has much to do while somebody is idle offers the older half of its stack,
//! and whoever is idle takes it.
//!
//! What a search without findings says does not depend on who met a state first: its states,
//! matched edges and transitions are those of one thread. A search that comes upon anything to
//! report ends at once; its finding is real, but another run may come upon another one. So the
//! search is done again by one thread, breadth first, which finds the same in every run, and
//! what the threads found is kept for the case that this does not end in time.
//!
//! INVARIANT: a worker reads the table only between [`Shared::work`]'s locks, so whoever holds
//! the table for itself may change every key: those in the table, of the workers and offered.

use crate::ample::Proviso;
use crate::frontier::{Frontier, Lifo, Waiting};
use crate::ledger::Limits;
use crate::log::{Log, Way};
use crate::memory::Memory;
use crate::outcome::{Finding, FindingKind, Outcome};
use crate::store::{Key, Table};
use crate::trails::Trails;
use crate::worker::{Exit, Means, Supervisor, Worker};
use crate::worklist::step_at;
use crate::{Coverage, Executed, Progress, Statistics, Stop, Watch, Why};
use collapse::{Account, Collapse, Cursor, Form, Held, Need};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;
use system::{Budget, System, Word};

/// How many states a worker may add before it asks again.
const QUOTA: usize = 1024;
/// Who finds no work looks again so often at once, and then after a pause: where few states wait, as
/// in narrow levels, it would look for most of the time.
const ROUNDS_AWAKE: u32 = 100;
const PAUSE: Duration = Duration::from_micros(50);
/// With fewer states than this a worker offers none.
const OFFERED_MIN: usize = 64;

/// What the threads share.
struct Shared {
    table: RwLock<Collapse>,
    memory: Mutex<Memory>,
    members: Vec<Mutex<Member>>,
    offers: Vec<Mutex<Vec<Waiting>>>,
    /// How many states may still be added before the table has to grow.
    room: AtomicUsize,
    /// How many want the table for themselves: the others let go of it.
    pausing: AtomicUsize,
    idle: AtomicUsize,
    states: AtomicU64,
    matched: AtomicU64,
    left_out: AtomicU64,
    /// There is no memory for logs.
    logs_given_up: AtomicBool,
    over: AtomicBool,
    end: Mutex<Option<End>>,
}

/// A worker, and what of the table is its own.
#[derive(Debug)]
struct Member {
    worker: Worker<Lifo>,
    cursor: Cursor,
    /// Where in a wave new states are.
    places: Vec<u32>,
    /// States added that the table has not booked.
    unbooked: usize,
    depth: u64,
}

/// What ended a search before everything was expanded.
#[derive(Clone, Debug)]
enum End {
    Finding(Suspect),
    Why(Why),
}

/// Something to report.
#[derive(Clone, Debug)]
struct Suspect {
    /// None for a step that ends in an error.
    kind: Option<FindingKind>,
    state: Vec<Word>,
    way: Way,
    /// The place of the step among the successors of the state.
    place: usize,
}

/// Asks whether the search is to go on.
type Tick<'a> = &'a mut dyn FnMut(&Progress) -> Option<Stop>;

/// Searches with one thread for each of the others and this one for the first system. `Err` if
/// there is something to report: with what one of them came upon first, if there was memory for
/// the way to it.
pub(crate) fn search(
    first: &dyn System,
    others: &mut [&mut (dyn System + Send)],
    (limits, reduces): (Limits, Option<Proviso>),
    watch: &mut dyn Watch,
) -> Result<(Outcome, Collapse), Option<Finding>> {
    let memory = Memory::watched(limits.memory_bytes_max, watch);
    let shared = Shared::new(first, others.len() + 1, memory, (limits, reduces));
    shared.start(first);
    let mut tick = |progress: &Progress| {
        lock(&shared.memory).tick(watch);
        watch.tick(progress)
    };
    std::thread::scope(|scope| {
        for (other, system) in others.iter_mut().enumerate() {
            let shared = &shared;
            scope.spawn(move || shared.run(other + 1, &**system, None));
        }
        shared.run(0, first, Some(&mut tick));
    });
    let why_incomplete = match lock(&shared.end).take() {
        Some(End::Finding(suspect)) => return Err(shared.finding(first, suspect)),
        Some(End::Why(why)) => vec![why],
        None => Vec::new(),
    };
    let (mut outcome, states) = shared.outcome(why_incomplete);
    let others = others.iter().map(|system| &**system as &dyn System);
    for coverage in std::iter::once(first).chain(others).filter_map(System::edge_coverage) {
        coverage.executed(&mut |agent, edge| outcome.executed.mark_edge(agent, edge));
    }
    Ok((outcome, states))
}

/// The table as one of several workers sees it.
struct SharedTable<'a> {
    states: &'a Collapse,
    cursor: &'a mut Cursor,
    places: &'a mut Vec<u32>,
}

impl Table for SharedTable<'_> {
    #[inline(always)]
    fn stride(&self) -> usize {
        1
    }

    #[inline(always)]
    fn decode(&mut self, key: Key, state: &mut [Word]) {
        self.states.load(self.cursor, key.0, state);
    }

    #[inline(always)]
    fn intern_all(&mut self, family: (&[Word], &[Word]), forms: &mut [Word]) -> Result<(), Need> {
        let mut forms = forms.iter_mut();
        let write = |number| forms.next().into_iter().for_each(|form| *form = number);
        self.states.intern_all(self.cursor, family, write)
    }

    #[inline(always)]
    fn ask_for(&self, forms: &mut [Word]) {
        self.states.ask_for(forms);
    }

    #[inline(always)]
    fn insert_all(&mut self, forms: &[Word], new: &mut Vec<(u32, Key)>) {
        self.states.table().insert_all_shared(forms, self.places);
        new.extend(self.places.iter().map(|at| (*at, Key(forms[*at as usize]))));
    }

    #[inline(always)]
    fn collapse(&mut self) -> Option<(&Collapse, &mut Cursor)> {
        Some((self.states, self.cursor))
    }

    fn close(&mut self, _: Key) {}

    /// Another worker may be expanding it.
    fn is_open(&self, _: &[Word]) -> bool {
        false
    }

    fn key_of(&self, _: &[Word]) -> Option<Key> {
        None
    }
}

/// The supervisor of one of several workers.
struct Overseer<'a, 't> {
    shared: &'a Shared,
    memory: &'a Mutex<Memory>,
    tick: Option<Tick<'t>>,
}

impl Budget for Overseer<'_, '_> {
    fn lasts(&mut self, bytes: u64) -> bool {
        if lock(self.memory).allow(bytes).is_err() {
            self.shared.stop(End::Why(Why::Memory));
        }
        self.shared.ask(&mut self.tick);
        !self.shared.is_over()
    }
}

impl Supervisor for Overseer<'_, '_> {
    #[inline(always)]
    fn account(&mut self) -> &mut dyn Account {
        &mut self.memory
    }

    #[inline(always)]
    fn interrupts(&self) -> bool {
        self.shared.pausing.load(Ordering::Relaxed) > 0 || self.shared.is_over()
    }
}

impl Shared {
    fn new(
        system: &dyn System,
        workers: usize,
        memory: Memory,
        (limits, reduces): (Limits, Option<Proviso>),
    ) -> Self {
        let member = |worker| {
            let worker = Worker::new(system, Log::new(worker, workers), limits, reduces);
            let (cursor, places) = (Cursor::default(), Vec::new());
            Mutex::new(Member { worker, cursor, places, unbooked: 0, depth: 0 })
        };
        Self {
            table: RwLock::new(Collapse::new(system.width(), workers)),
            memory: Mutex::new(memory),
            members: (0..workers).map(member).collect(),
            offers: (0..workers).map(|_| Mutex::default()).collect(),
            room: AtomicUsize::new(0),
            pausing: AtomicUsize::new(0),
            idle: AtomicUsize::new(0),
            states: AtomicU64::new(0),
            matched: AtomicU64::new(0),
            left_out: AtomicU64::new(0),
            logs_given_up: AtomicBool::new(false),
            over: AtomicBool::new(false),
            end: Mutex::new(None),
        }
    }

    /// Hands the initial state to the first worker.
    fn start(&self, system: &dyn System) {
        let mut state = vec![0; system.width()];
        system.initial(&mut state);
        while !self.is_over() {
            let mut member = lock(&self.members[0]);
            let key = read(&self.table).start(&mut member.cursor, &state);
            match key {
                Ok(key) => return member.worker.start(&[key]),
                Err(need) => {
                    drop(member);
                    self.settle(|table, members| self.adapt(need, table, members));
                }
            }
        }
    }

    /// One worker, until all have nothing to do or the search is over.
    fn run(&self, worker: usize, system: &dyn System, tick: Option<Tick>) {
        let mut overseer = Overseer { shared: self, memory: &self.memory, tick };
        while !self.is_over() {
            let exit = self.work(worker, system, &mut overseer);
            self.ask(&mut overseer.tick);
            match exit {
                Exit::Tick | Exit::Blocked(..) | Exit::Errors | Exit::Budget | Exit::States => {}
                Exit::Interrupted => std::thread::yield_now(),
                Exit::Idle => self.look_for_work(worker, &mut overseer.tick),
                Exit::Need(need) => {
                    self.settle(|table, members| self.adapt(need, table, members));
                }
                Exit::Room(states) => self.provide(worker, states),
                Exit::Full => {
                    let why = lock(&self.memory).full();
                    self.stop(End::Why(why));
                }
            }
        }
    }

    /// Expands states while nobody wants the table.
    fn work(&self, worker: usize, system: &dyn System, overseer: &mut Overseer) -> Exit {
        let states = read(&self.table);
        // Who had the table before may have abandoned it.
        if self.is_over() {
            return Exit::Interrupted;
        }
        let member = &mut *lock(&self.members[worker]);
        let (cursor, places) = (&mut member.cursor, &mut member.places);
        let mut table = SharedTable { states: &states, cursor, places };
        let means = &mut Means { system, table: &mut table, supervisor: overseer };
        let exit = member.worker.work(means);
        if let Some((key, mut suspect)) = suspect(exit, &member.worker) {
            suspect.state.resize(system.width(), 0);
            table.decode(key, &mut suspect.state);
            self.stop(End::Finding(suspect));
        }
        self.take_statistics(member);
        self.offer(worker, &mut member.worker.frontier);
        exit
    }

    fn take_statistics(&self, member: &mut Member) {
        let Statistics { states, matched, depth, left_out, .. } =
            std::mem::take(&mut member.worker.statistics);
        self.left_out.fetch_add(left_out, Ordering::Relaxed);
        self.states.fetch_add(states, Ordering::Relaxed);
        self.matched.fetch_add(matched, Ordering::Relaxed);
        member.unbooked += states as usize;
        member.depth = member.depth.max(depth);
    }

    /// Offers the older half of the stack, if somebody is idle and nothing is on offer yet.
    fn offer(&self, worker: usize, stack: &mut Lifo) {
        if self.idle.load(Ordering::Relaxed) == 0 || stack.len() < OFFERED_MIN {
            return;
        }
        let mut offer = lock(&self.offers[worker]);
        if offer.is_empty() {
            stack.drain_older(|state| offer.push(state));
        }
    }

    /// Provides what a worker needs, with the table for itself.
    fn settle(
        &self,
        provide: impl FnOnce(&mut Collapse, &mut [MutexGuard<Member>]) -> Result<(), Why>,
    ) {
        self.pausing.fetch_add(1, Ordering::Relaxed);
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        let mut members: Vec<_> = self.members.iter().map(lock).collect();
        let settled = provide(&mut table, &mut members);
        self.pausing.fetch_sub(1, Ordering::Relaxed);
        if let Err(why) = settled {
            self.stop(End::Why(why));
        }
    }

    fn adapt(
        &self,
        need: Need,
        table: &mut Collapse,
        members: &mut [MutexGuard<Member>],
    ) -> Result<(), Why> {
        if table.provides(need) {
            return Ok(());
        }
        let mut held = |change: &mut dyn FnMut(&mut Word, Form)| {
            members.iter_mut().for_each(|member| member.worker.change_keys(change));
            for offer in &self.offers {
                lock(offer).iter_mut().for_each(|state| change(&mut state.key.0, Form::Key));
            }
        };
        let held: &mut Held = &mut held;
        let adapted = table.adapt(need, &mut *lock(&self.memory), held);
        members.iter_mut().for_each(|member| member.worker.outdate_cache());
        adapted.map_err(|_| lock(&self.memory).full())
    }

    /// Lets a worker add so many states.
    fn provide(&self, worker: usize, states: usize) {
        let mut quota = self.reserve(states);
        if quota == 0 {
            self.settle(|table, members| self.grow(states, table, members));
            quota = self.reserve(states);
        }
        let Worker { frontier, log, room, .. } = &mut lock(&self.members[worker]).worker;
        let memory = &mut *lock(&self.memory);
        // Another one may have taken the quota meanwhile: then it is asked for again.
        *room += quota;
        if log.make_room(*room, memory).is_err() || self.logs_given_up.load(Ordering::Relaxed) {
            self.logs_given_up.store(true, Ordering::Relaxed);
            log.give_up(memory);
        }
        if let Err(why) = frontier.make_room(*room, memory) {
            self.stop(End::Why(why));
        }
    }

    /// Books the states added and makes room for more. What a worker has left of its
    /// quota is taken back.
    fn grow(
        &self,
        states: usize,
        table: &mut Collapse,
        members: &mut [MutexGuard<Member>],
    ) -> Result<(), Why> {
        let table = table.table_mut();
        for member in members.iter_mut() {
            table.book(std::mem::take(&mut member.unbooked));
            member.worker.room = 0;
        }
        let memory = &mut *lock(&self.memory);
        let many = states + QUOTA * self.members.len();
        table
            .make_room(many, memory)
            .or_else(|_| table.make_room(states, memory))
            .or_else(|full| {
                let freed = self.give_up(members, memory);
                if freed { table.make_room(states, memory) } else { Err(full) }
            })
            .map_err(|_| memory.full())?;
        self.room.store(table.len_max() - table.len(), Ordering::Relaxed);
        Ok(())
    }

    /// Gives up what the search can do without: transition caches and logs.
    fn give_up(&self, members: &mut [MutexGuard<Member>], memory: &mut Memory) -> bool {
        self.logs_given_up.store(true, Ordering::Relaxed);
        members.iter_mut().fold(false, |freed, member| {
            let worker = &mut member.worker;
            worker.give_up_cache(memory) | worker.log.give_up(memory) | freed
        })
    }

    /// Takes from the room of the table; how many states may be added now.
    fn reserve(&self, states: usize) -> usize {
        let take = |room: usize| (room >= states).then(|| room - states.max(QUOTA.min(room)));
        let taken = self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        taken.map_or(0, |room| states.max(QUOTA.min(room)))
    }

    /// Takes back what this worker offers, or takes what another one does, or
    /// finds that nobody has anything. Who is idle offers nothing, and who takes stops
    /// being idle before it lets go of the offer: so if all are idle, all is done.
    fn look_for_work(&self, worker: usize, tick: &mut Option<Tick>) {
        if self.take_over(worker, worker, || {}) {
            return;
        }
        self.idle.fetch_add(1, Ordering::SeqCst);
        let busy = || {
            self.idle.fetch_sub(1, Ordering::SeqCst);
        };
        let mut rounds = 0;
        while !self.is_over() {
            if (0..self.offers.len()).any(|owner| self.take_over(worker, owner, busy)) {
                return;
            }
            if self.idle.load(Ordering::SeqCst) == self.members.len() {
                return self.over.store(true, Ordering::SeqCst);
            }
            self.ask(tick);
            rounds += 1;
            match rounds < ROUNDS_AWAKE {
                true => std::thread::yield_now(),
                false => std::thread::sleep(PAUSE),
            }
        }
    }

    /// Moves what `owner` offers to the worker's stack, if there is anything. Keys
    /// do not change meanwhile, for the table is read.
    fn take_over(&self, worker: usize, owner: usize, found: impl Fn()) -> bool {
        let _table = read(&self.table);
        let worker = &mut lock(&self.members[worker]).worker;
        let mut offer = lock(&self.offers[owner]);
        if offer.is_empty() {
            return false;
        }
        found();
        match worker.frontier.make_room(worker.room + offer.len(), &mut *lock(&self.memory)) {
            Ok(()) => offer.drain(..).for_each(|state| worker.frontier.put(state)),
            Err(why) => self.stop(End::Why(why)),
        }
        true
    }

    fn ask(&self, tick: &mut Option<Tick>) {
        match tick.as_mut().and_then(|tick| tick(&self.progress())) {
            Some(Stop::Time) => self.stop(End::Why(Why::Time)),
            Some(Stop::Interrupted) => self.stop(End::Why(Why::Interrupted)),
            None => {}
        }
    }

    /// Ends the search. A finding is never lost for another reason to end.
    fn stop(&self, end: End) {
        let mut ended = lock(&self.end);
        if ended.is_none() || matches!((&end, &*ended), (End::Finding(_), Some(End::Why(_)))) {
            *ended = Some(end);
        }
        self.over.store(true, Ordering::SeqCst);
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    fn progress(&self) -> Progress {
        Progress {
            states: self.states.load(Ordering::Relaxed),
            matched: self.matched.load(Ordering::Relaxed),
            bytes: lock(&self.memory).held(),
            ..Progress::default()
        }
    }

    /// The suspect with the way to it, by the logs of all workers.
    fn finding(&self, system: &dyn System, suspect: Suspect) -> Option<Finding> {
        let members: Vec<_> = self.members.iter().map(lock).collect();
        let logs: Vec<&Log> = members.iter().map(|member| &member.worker.log).collect();
        if logs.iter().any(|log| log.is_given_up()) {
            return None;
        }
        let mut trails = Trails::new(system, members[0].worker.sleeps);
        let (mut trail, state) = (trails.of(system, &logs, suspect.way), suspect.state);
        let kind = suspect.kind.unwrap_or_else(|| {
            let (step, outcome) = step_at(system, &state, suspect.place);
            trail.push(step);
            FindingKind::Step(outcome)
        });
        Some(Finding { kind, trail, state })
    }

    /// What the search says, and the states it stored.
    fn outcome(self, why_incomplete: Vec<Why>) -> (Outcome, Collapse) {
        let mut statistics = Statistics {
            states: self.states.into_inner(),
            matched: self.matched.into_inner(),
            left_out: self.left_out.into_inner(),
            store_bytes: read(&self.table).bytes(),
            peak_bytes: lock(&self.memory).peak(),
            helpers: self.members.len() as u32 - 1,
            ..Statistics::default()
        };
        statistics.transitions = statistics.states + statistics.matched;
        let mut executed = Executed::default();
        for member in self.members {
            let member = member.into_inner().unwrap_or_else(PoisonError::into_inner);
            statistics.depth = statistics.depth.max(member.depth);
            statistics.log_bytes += member.worker.log.bytes();
            executed.absorb(&member.worker.executed);
        }
        let outcome = Outcome {
            statistics,
            findings: Vec::new(),
            residuals: Vec::new(),
            canonical: true,
            why_incomplete,
            executed,
            coverage: Coverage::Exact,
            cache: None,
        };
        (outcome, self.table.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What a worker came upon, with the key of a state that is still to be decoded.
fn suspect(exit: Exit, worker: &Worker<Lifo>) -> Option<(Key, Suspect)> {
    let suspect = |kind, way, place| Suspect { kind, state: Vec::new(), way, place };
    if let Exit::Blocked(verdict, key, way) = exit {
        return Some((key, suspect(Some(FindingKind::Blocked(verdict)), way, 0)));
    }
    let error = worker.errors().next()?;
    Some((error.key, suspect(None, error.way, error.place)))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read(table: &RwLock<Collapse>) -> std::sync::RwLockReadGuard<'_, Collapse> {
    table.read().unwrap_or_else(PoisonError::into_inner)
}
