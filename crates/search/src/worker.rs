//! A worker of the unordered loop: takes a state that waits, expands it, looks its successors
//! up in waves, and puts those that are new into its frontier. A search by one thread has one
//! worker ([`worklist`](crate::worklist)), a search by several has one per thread
//! ([`threads`](crate::threads)); this is the one text of what all of them do.
//!
//! In: the [`Means`] to work with. Out: an [`Exit`] as soon as the worker needs something that
//! is not its own to provide. Whoever called provides it and calls again.
//!
//! What holds: a state is put into the frontier once, when it is new; successors are looked up
//! in the order they are generated, so one worker with a frontier by level discovers each
//! state in one of the shortest ways, and findings come in the order of their distance.
//!
//! INVARIANT: an expansion that ends with an exit has done nothing, and is done again; only one
//! that ends with a blocked state is over.

use crate::Executed;
use crate::ample::Proviso;
use crate::forest::Forest;
use crate::frontier::{Frontier, Waiting};
use crate::ledger::Limits;
use crate::log::{Log, Way};
use crate::memory::Memory;
use crate::outcome::Statistics;
use crate::rows::Rows;
use crate::store::{Key, Table};
use crate::transition_cache::{Expansion, Noted, TransitionCache};
use crate::waves::{Origin, Reduced, Wave, Waves, tag_of};
use collapse::{Account, Form, Need};
use system::{Blocked, Budget, Candidates, Successors, System, Word, apart};

/// A worker shows itself after so many edges.
const EDGES_PER_TICK: usize = 1024;

/// What a worker works with.
pub(crate) struct Means<'a, T, S> {
    pub(crate) system: &'a dyn System,
    pub(crate) table: &'a mut T,
    pub(crate) supervisor: &'a mut S,
}

/// Who a worker answers to.
pub(crate) trait Supervisor: Budget {
    /// Where its memory is booked.
    fn account(&mut self) -> &mut dyn Account;

    /// Whether it is to stop before the next state.
    fn interrupts(&self) -> bool;
}

/// Why a worker stops working.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// It has worked for a while.
    Tick,
    /// Its supervisor wants it to.
    Interrupted,
    /// Nothing waits.
    Idle,
    /// A successor has no key yet.
    Need(Need),
    /// There may be so many new states, and there is no room for them.
    Room(usize),
    /// The state of this key, discovered in this way, is blocked, and not at a proper end.
    Blocked(Blocked, Key, Way),
    /// Steps that end in an error are to be reported.
    Errors,
    /// The budget for the successors of a state is used up.
    Budget,
    /// There are as many states as there may be.
    States,
    /// There is no memory.
    Full,
}

/// A step that ends in an error: the state it leaves, and its place among the successors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ErrorStep {
    pub(crate) key: Key,
    pub(crate) way: Way,
    pub(crate) place: usize,
}

/// Apart from other workers.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Worker<F> {
    pub(crate) frontier: F,
    pub(crate) log: Log,
    /// So many more states may arrive before room has to be made.
    ///
    /// INVARIANT: at least as many as are in flight, when they are looked up.
    pub(crate) room: usize,
    /// What was counted since somebody took it.
    pub(crate) statistics: Statistics,
    pub(crate) executed: Executed,
    depth_max: u64,
    states_left: u64,
    /// First-step sleep sets are applied: the system is told by which step a state was
    /// discovered.
    pub(crate) sleeps: bool,
    /// Ample sets are applied.
    reduces: Option<Proviso>,
    /// With [`Proviso::All`] the states that were left to one agent: their keys, and its number.
    pub(crate) alone: Rows<2>,
    /// The persistent sets of the batch at hand.
    candidates: Candidates,
    /// States that are to be expanded once more, for ample sets that did not lead on.
    again: Vec<Waiting>,
    /// How states that were expanded by ample sets lead on.
    forest: Forest,
    cache: Option<TransitionCache>,
    waves: Waves,
    /// The state being expanded, and its successors.
    state: Vec<Word>,
    batch: Successors,
    /// The state whose expansion is to be done again.
    resumed: Option<Waiting>,
    /// Steps that end in an error and are not reported yet: key, anchor, path, place.
    errors: Rows<4>,
    /// Those of a wave that are new, with their keys.
    new: Vec<(u32, Key)>,
    /// The depth of the states being expanded.
    level: u64,
    /// Edges since the last tick.
    edges: usize,
}

/// A buffer for successors by whatever steps, if nobody has to look at them.
pub(crate) fn unnamed(system: &dyn System) -> Successors {
    match system.edge_coverage() {
        Some(_) => Successors::unnamed(system.width()),
        None => Successors::new(system.width()),
    }
}

impl<F: Frontier> Worker<F> {
    /// One that applies ample sets if it `reduces`.
    pub(crate) fn new(
        system: &dyn System,
        log: Log,
        limits: Limits,
        reduces: Option<Proviso>,
    ) -> Self
    where
        F: Default,
    {
        let batch = match reduces {
            Some(_) => Successors::new(system.width()).with_transitions(),
            None => unnamed(system),
        };
        // At a limit of depth the other way round might end a step before its target.
        let unbounded = limits.depth_max == u64::MAX;
        let sleeps = system.has_first_step_sleep() && !batch.is_named() && unbounded;
        let cache = match reduces {
            Some(proviso) => TransitionCache::new(system, Noted::Agents)
                .map(|cache| cache.with_ample_sets(proviso)),
            None => TransitionCache::new(system, Noted::Tags).filter(|_| sleeps),
        };
        Self {
            frontier: F::default(),
            log,
            room: 0,
            statistics: Statistics::default(),
            executed: Executed::default(),
            depth_max: limits.depth_max,
            states_left: limits.states_max,
            sleeps,
            reduces,
            candidates: Candidates::default(),
            again: Vec::new(),
            alone: Rows::default(),
            forest: Forest::default(),
            cache,
            waves: Waves::default(),
            state: apart(0, system.width()),
            batch,
            resumed: None,
            errors: Rows::default(),
            new: Vec::new(),
            level: 0,
            edges: 0,
        }
    }

    /// The initial state is in flight, in this form.
    pub(crate) fn start(&mut self, form: &[Word]) {
        self.waves.start(form.len()).copy_from_slice(form);
    }

    /// Whether it lists the states that are left to one process.
    pub(crate) fn lists_alone(&self) -> bool {
        self.reduces == Some(Proviso::All)
    }

    /// How many states wait, those in flight included.
    pub(crate) fn waiting(&self) -> usize {
        self.frontier.len() + self.waves.len() + self.again.len()
    }

    /// Works until something is needed.
    pub(crate) fn work<T: Table, S: Supervisor>(&mut self, means: &mut Means<T, S>) -> Exit {
        loop {
            if means.supervisor.interrupts() {
                return Exit::Interrupted;
            }
            if let Err(exit) = self.advance(means) {
                return exit;
            }
            if self.edges >= EDGES_PER_TICK {
                self.edges = 0;
                return Exit::Tick;
            }
        }
    }

    /// Expands the next state.
    #[inline]
    fn advance<T: Table, S: Supervisor>(&mut self, means: &mut Means<T, S>) -> Result<(), Exit> {
        let again = self.resumed.take().or_else(|| self.again.pop());
        let Some(next) = again.or_else(|| self.next(means.table)) else {
            return self.run_dry(means.table);
        };
        if self.errors.len() > 0 && !(F::BY_LEVEL && next.depth == self.level) {
            self.resumed = Some(next);
            return Err(Exit::Errors);
        }
        self.level = next.depth;
        if self.reduces == Some(Proviso::One) {
            self.forest.make_room(means.supervisor.account());
        }
        self.expand(means, next).inspect_err(|exit| {
            if !matches!(exit, Exit::Blocked(..)) {
                self.resumed = Some(next);
            }
        })
    }

    /// The next state that waits.
    #[inline]
    fn next<T: Table>(&mut self, table: &mut T) -> Option<Waiting> {
        let next = self.frontier.take();
        if self.reduces.is_some() {
            next.iter().for_each(|next| table.close(next.key));
        }
        next
    }

    /// Nothing waits that is not in flight. A step out of level `n` that ends in an error is at
    /// distance `n + 1`, as far as the states of the next level: it waits until the blocked
    /// states of its own level are judged. Without a promise of levels it waits for nothing.
    #[cold]
    fn run_dry<T: Table>(&mut self, table: &mut T) -> Result<(), Exit> {
        if self.waves.len() > 0 {
            self.provide(self.waves.len())?;
            return self.turn(table);
        }
        Err(if self.errors.len() > 0 { Exit::Errors } else { Exit::Idle })
    }

    fn expand<T: Table, S: Supervisor>(
        &mut self,
        means: &mut Means<T, S>,
        at: Waiting,
    ) -> Result<(), Exit> {
        if self.recall(means, at)? {
            return Ok(());
        }
        means.table.decode(at.key, &mut self.state);
        self.batch.clear();
        if self.sleeps {
            self.batch.set_after(u32::from(at.tag));
        }
        if !means.system.successors(&self.state, &mut self.batch, means.supervisor) {
            return Err(Exit::Budget);
        }
        if self.batch.is_empty() && self.batch.left_out() == 0 {
            return match means.system.blocked(&self.state) {
                Blocked::ProperEnd => Ok(()),
                verdict => Err(Exit::Blocked(verdict, at.key, at.way)),
            };
        }
        if at.depth >= self.depth_max {
            self.statistics.truncated += 1;
            return Ok(());
        }
        self.provide(self.waves.len() + self.batch.len())?;
        let count = self.batch.len();
        let chosen = self.reduces.and_then(|proviso| self.choose(means.system, proviso, at.tag));
        let followed = chosen.unwrap_or(count);
        let expansion = chosen.map_or(Expansion::default(), |steps| Expansion {
            tried: at.tag + 1,
            agent: self.agent_of(at.tag),
            left_out: (count - steps) as u32,
        });
        self.intern(means, at, chosen.map(|_| usize::from(at.tag)))?;
        let left_out = self.batch.left_out();
        self.send(means.table, at, (followed, left_out), expansion)
    }

    /// How many steps the process, or group, has that can be moved alone, after so many others.
    /// For cycles only one process is moved.
    fn choose(&mut self, system: &dyn System, proviso: Proviso, others: u16) -> Option<usize> {
        self.candidates.clear();
        if self.batch.len() <= usize::from(u16::MAX) && self.batch.outcomes().is_empty() {
            let (independence, found) = (system.independence()?, &mut self.candidates);
            independence.ample(&self.state, &self.batch, found);
        }
        let chosen = self.candidates.get(usize::from(others))?;
        let fits = proviso == Proviso::One || chosen.len() == 1;
        fits.then(|| chosen.iter().map(ExactSizeIterator::len).sum())
    }

    /// Who makes the first step of a candidate.
    fn agent_of(&self, candidate: u16) -> u32 {
        let steps = self.candidates.get(usize::from(candidate)).unwrap_or_default();
        steps.first().map_or(0, |steps| self.batch.step(steps.start).0.agent)
    }

    /// Makes sure that so many states may arrive.
    #[inline]
    fn provide(&self, coming: usize) -> Result<(), Exit> {
        if self.room < coming { Err(Exit::Room(coming)) } else { Ok(()) }
    }

    /// The successors of the batch, or those of one of the candidates, join the wave that comes;
    /// errors are noted.
    fn intern<T: Table, S: Supervisor>(
        &mut self,
        means: &mut Means<T, S>,
        at: Waiting,
        candidate: Option<usize>,
    ) -> Result<(), Exit> {
        let (noted, mut ended) = (self.errors.len(), 0);
        if self.batch.is_named() {
            self.batch.steps().for_each(|step| self.executed.mark(step));
        }
        if !self.batch.outcomes().is_empty() {
            ended = self.note_errors(means.supervisor.account(), at)?;
        }
        let (batch, targets) = (&self.batch, self.waves.coming().begin());
        let (all, width, stride) = (0..batch.len(), self.state.len(), means.table.stride());
        let chosen = candidate.and_then(|at| self.candidates.get(at));
        for steps in chosen.unwrap_or(std::slice::from_ref(&all)) {
            let forms = targets.room(steps.len(), stride);
            let states = &batch.states()[steps.start * width..steps.end * width];
            if let Err(need) = means.table.intern_all((&self.state, states), forms) {
                targets.take_back();
                self.errors.truncate(noted);
                return Err(Exit::Need(need));
            }
            match chosen {
                Some(_) => targets.fill(steps.len(), |at| (steps.start + at) as u16),
                None => targets.fill(batch.len(), |place| tag_of(batch, place)),
            }
        }
        self.statistics.matched += ended;
        Ok(())
    }

    /// Notes the successors that end in an error; only those that lead on stay. How many do not.
    #[cold]
    fn note_errors(&mut self, account: &mut dyn Account, at: Waiting) -> Result<u64, Exit> {
        let outcomes = self.batch.outcomes();
        self.errors.make_room(outcomes.len(), account).map_err(|_| Exit::Full)?;
        outcomes.iter().for_each(|(place, _)| {
            self.errors.push([at.key.0, at.way.anchor, at.way.path, Word::from(*place)]);
        });
        let ended = outcomes.iter().filter(|(_, outcome)| !outcome.enters()).count();
        self.batch.keep_entering();
        Ok(ended as u64)
    }

    /// Expands a state by the transition cache; if `false` nothing has happened.
    #[inline]
    fn recall<T: Table, S: Supervisor>(
        &mut self,
        means: &mut Means<T, S>,
        at: Waiting,
    ) -> Result<bool, Exit> {
        let (Some(cache), Some(tables)) = (&mut self.cache, means.table.collapse()) else {
            return Ok(false);
        };
        let targets = self.waves.coming().begin();
        let account = means.supervisor.account();
        let expansion = match self.reduces.is_some() {
            true => {
                let state = (at.key.0, at.tag);
                let recalled = cache.recall_ample(means.system, tables, state, account, targets);
                self.statistics.asked += cache.take_asked();
                recalled
            }
            false => {
                let state = (at.key.0, u32::from(at.tag));
                let recalled = cache.recall(means.system, tables, state, account, targets);
                recalled.map(|recalled| recalled.then(Expansion::default))
            }
        };
        let Some(expansion) = expansion.map_err(Exit::Need)? else { return Ok(false) };
        let edges = (targets.count(), targets.left_out());
        if let Err(exit) = self.provide(self.waves.len()) {
            self.waves.coming().take_back();
            return Err(exit);
        }
        self.send(means.table, at, edges, expansion)?;
        Ok(true)
    }

    /// The successors by so many edges are in flight, and so many more edges are left out.
    #[inline]
    fn send<T: Table>(
        &mut self,
        table: &mut T,
        at: Waiting,
        (edges, left_out): (usize, usize),
        expansion: Expansion,
    ) -> Result<(), Exit> {
        self.waves.coming().join((at.key, at.way), at.depth + 1, expansion);
        self.statistics.spared += left_out as u64;
        self.statistics.matched += left_out as u64;
        self.edges += edges + left_out;
        if !F::IN_WAVES {
            return self.turn(table).and_then(|()| self.turn(table));
        }
        if self.waves.is_full() { self.turn(table) } else { Ok(()) }
    }

    /// Looks the older wave up and asks for the other one.
    fn turn<T: Table>(&mut self, table: &mut T) -> Result<(), Exit> {
        let (stride, wave) = (table.stride(), self.waves.arrived());
        self.new.clear();
        table.insert_all(wave.forms(stride), &mut self.new);
        if let Some(proviso) = self.reduces {
            self.prove(proviso, table, &wave);
        }
        let welcomed = self.welcome(&wave);
        self.waves.turn(wave, stride, |forms| table.ask_for(forms));
        welcomed
    }

    /// The new ones of a wave begin to wait; the others count as matched.
    #[inline(always)]
    fn welcome(&mut self, wave: &Wave) -> Result<(), Exit> {
        let allowed = self.new.len().min(usize::try_from(self.states_left).unwrap_or(usize::MAX));
        let mut depth_max = self.statistics.depth;
        for (at, key) in &self.new[..allowed] {
            let Origin { way, depth, place, tag } = wave.origin(*at as usize);
            depth_max = depth_max.max(depth);
            let way = self.log.extend(way, place);
            self.frontier.put(Waiting { key: *key, way, depth, tag });
        }
        self.statistics.depth = depth_max;
        self.statistics.states += allowed as u64;
        self.states_left -= allowed as u64;
        self.room -= self.new.len();
        // What comes behind the last one allowed does not count any more.
        let end = self.new.get(allowed).map_or(wave.len(), |(at, _)| *at as usize);
        self.statistics.matched += (end - allowed) as u64;
        if allowed < self.new.len() { Err(Exit::States) } else { Ok(()) }
    }

    /// The proviso ([`crate::ample`]): a state of which some steps were left out is expanded
    /// once more, with those of another process, or with all, unless a successor is new or
    /// waits, or leads to another state than back; or, for cycles, unless each is new or waits.
    fn prove<T: Table>(&mut self, proviso: Proviso, table: &T, wave: &Wave) {
        let (stride, forms) = (table.stride(), wave.forms(table.stride()));
        for Reduced { state, expansion, mut successors } in wave.reduced() {
            let Self { forest, new, .. } = self;
            let form = |at: usize| &forms[at * stride..][..stride];
            let is_new = |at| new.binary_search_by_key(&at, |(at, _)| *at as usize).is_ok();
            let is_later = |at: &usize| is_new(*at) || table.is_open(form(*at));
            let mut leads_to = |at: usize| {
                table.key_of(form(at)).is_some_and(|to| forest.lead_on(state.key.0, to.0))
            };
            let holds = match (proviso, successors.clone().find(is_later)) {
                (Proviso::All, _) => successors.all(|at| is_later(&at)),
                // Where that cannot be remembered, nobody leads to what was expanded before.
                (Proviso::One, Some(at)) => {
                    leads_to(at);
                    true
                }
                (Proviso::One, None) => successors.any(leads_to),
            };
            if !holds {
                self.again.push(state);
                continue;
            }
            self.statistics.left_out += u64::from(expansion.left_out);
            if proviso == Proviso::All {
                self.alone.push([state.key.0, Word::from(expansion.agent)]);
            }
        }
    }

    /// Looks up what is in flight, so that it counts. Room for all of it was made.
    pub(crate) fn drain<T: Table>(&mut self, table: &mut T) {
        // The search is over for another reason.
        let _ = self.turn(table).and_then(|()| self.turn(table));
    }

    /// The steps into errors that are not reported yet.
    pub(crate) fn errors(&self) -> impl Iterator<Item = ErrorStep> {
        (0..self.errors.len()).map(|at| {
            let [key, anchor, path, place] = self.errors.get(at);
            ErrorStep { key: Key(key), way: Way { anchor, path }, place: place as usize }
        })
    }

    /// They are.
    pub(crate) fn clear_errors(&mut self) {
        self.errors.clear();
    }

    /// Every key the worker holds, to change. Fields of keys are new.
    pub(crate) fn change_keys(&mut self, change: &mut dyn FnMut(&mut Word, Form)) {
        self.forest.change_keys(change);
        let waiting = self.resumed.iter_mut().chain(&mut self.again);
        waiting.for_each(|at| change(&mut at.key.0, Form::Key));
        self.errors.rows_mut().iter_mut().for_each(|[key, ..]| change(key, Form::Key));
        self.alone.rows_mut().iter_mut().for_each(|[key, _]| change(key, Form::Key));
        self.frontier.change_keys(&mut |key| change(key, Form::Key));
        self.waves.change_keys(change);
    }

    /// Fields of keys are new.
    pub(crate) fn outdate_cache(&mut self) {
        self.cache.iter_mut().for_each(TransitionCache::outdate);
    }

    /// Gives the memory of the transition cache back; whether there was any.
    pub(crate) fn give_up_cache(&mut self, memory: &mut Memory) -> bool {
        self.cache.as_mut().is_some_and(|cache| cache.give_up(memory))
    }
}
