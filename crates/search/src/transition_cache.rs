//! A per-process transition cache, keyed by the process's read set: what an agent does is not
//! worked out twice in states that agree on what it reads. Close to the transition caching of
//! LTSmin (Blom, van de Pol and Weber 2010), but on collapsed states, and the read set depends
//! on where the agent stands.
//!
//! [`Agents`] read a few words of a state each, and a collapsed state has a field for each word.
//! So the bits of those fields say everything the agent can do, and a step of it is a change of
//! those bits: remembered once, it is made by an exclusive or, without loading the state,
//! executing an edge or numbering a word.
//!
//! ```text
//! number     [ i0 | i1 | i2 | i3 ]     of a state
//! read set   [ ## |    | ## |    ]     of an agent whose location is in i0, by the value of i0
//! entry      number & read set  ->  the changes its steps make
//! ```
//!
//! An entry gives way to another, an agent that misses for most states is asked every time, and
//! all is forgotten when keys change.

mod agent;
mod ample;
mod resting;
mod targets;

pub(crate) use ample::Expansion;
pub(crate) use targets::Targets;

use agent::{AgentCache, Entry};
use ample::Futures;
use collapse::{Account, Collapse, Cursor, Need};
use resting::Resting;
use system::{Agents, Successors, System, Word, apart};
use targets::Change;

/// So many steps of agents with several are remembered.
const MORE_MAX: usize = 1 << 16;
/// What an agent with so many steps does is not remembered.
const STEPS_MAX: usize = 1 << 10;
/// Weights are less than this.
const WEIGHTS: usize = 1 << u16::BITS;
/// Every so many states agents show whether it is worth remembering what they do.
const STATES_PER_TRIAL: u64 = 1 << 15;

/// What is remembered of a step beside the change it makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Noted {
    /// Its tag, for first-step sleep sets.
    Tags,
    /// How many edges it executes.
    Weights,
    /// Its transition, for sleep sets.
    Transitions,
    /// The number of its agent, for fairness.
    Agents,
}

/// The steps of the agents of a system.
#[derive(Debug)]
pub(crate) struct TransitionCache {
    noted: Noted,
    /// In their order, without those that rest, and behind them groups of those.
    agents: Vec<AgentCache>,
    resting: Resting,
    /// Behind the first one, the steps of agents that have several.
    more: Vec<Change>,
    /// The most steps of an agent that are remembered.
    most: usize,
    /// The first-step sleep sets, a bit for each tag, by the tag of the step that discovered a
    /// state; empty where nobody has asked.
    sleep_sets: Vec<Box<[Word]>>,
    sleep_set_bytes: u64,
    /// The state at hand, if an agent has to be asked, its steps there and the numbers of
    /// the states they lead to.
    state: Vec<Word>,
    batch: Successors,
    numbers: Vec<Word>,
    /// States since the last trial.
    states: u64,
    booked: u64,
    /// How often it was asked since whether there is memory.
    unbooked: usize,
    /// The fields of locations and read sets are to be asked for anew.
    outdated: bool,
    /// How often keys had changed when they were.
    layouts: u32,
    given_up: bool,
    /// For ample sets, if they are wanted.
    futures: Option<Futures>,
    /// How often an agent was asked since somebody wanted to know.
    asked: u64,
}

impl TransitionCache {
    /// None if the system has no agents.
    pub(crate) fn new(system: &dyn System, noted: Noted) -> Option<Self> {
        let (agents, width) = (system.agents()?, system.width());
        let batch = match noted {
            Noted::Tags => Successors::unnamed(width),
            Noted::Weights | Noted::Agents => Successors::new(width),
            Noted::Transitions => Successors::new(width).with_transitions(),
        };
        Some(Self {
            noted,
            agents: (0..agents.count()).map(AgentCache::new).collect(),
            resting: Resting::new(agents.count()),
            more: Vec::new(),
            most: 1,
            sleep_sets: Vec::new(),
            sleep_set_bytes: 0,
            state: apart(0, width),
            batch,
            numbers: Vec::new(),
            states: 0,
            booked: 0,
            unbooked: 0,
            outdated: true,
            layouts: 0,
            given_up: false,
            futures: None,
            asked: 0,
        })
    }

    /// How many agents there are.
    fn count(&self) -> usize {
        self.resting.count()
    }

    /// The fields of keys are new.
    pub(crate) fn outdate(&mut self) {
        self.outdated = true;
    }

    /// What was remembered holds on unless keys changed: bits that fields have gained are
    /// zero in all that was seen.
    #[cold]
    fn renew(&mut self, system: &dyn Agents, store: &Collapse) {
        self.outdated = false;
        self.wake_all();
        for cache in &mut self.agents {
            cache.renew(store.field(system.location_word(cache.agent())));
        }
        if std::mem::replace(&mut self.layouts, store.layouts()) != store.layouts() {
            self.forget();
        }
        self.futures.iter_mut().for_each(Futures::forget);
    }

    fn forget(&mut self) {
        self.more.clear();
        self.agents.iter_mut().chain(self.resting.members_mut()).for_each(AgentCache::clear);
    }

    /// Appends the successors of the state of `key`, by their numbers, to `targets`, which
    /// knows that they come, without the first-step sleep set of one that was discovered by a
    /// step of the tag `after`. Unless `true`, none are appended, and it has to be asked for as a whole.
    #[inline]
    pub(crate) fn recall(
        &mut self,
        system: &dyn System,
        (store, cursor): (&Collapse, &mut Cursor),
        (key, after): (Word, u32),
        account: &mut dyn Account,
        targets: &mut Targets,
    ) -> Result<bool, Need> {
        if self.given_up || self.is_unprepared(after) && !self.prepare(system, store, after) {
            return Ok(false);
        }
        self.states += 1;
        let state = (store.number_of(key), after);
        if self.resting.is_due() {
            self.look_at_agents(state.0);
        }
        let Some(missing) = self.follow(state, 0, targets) else {
            return Ok(targets.count() + targets.left_out() > 0);
        };
        store.load(cursor, key, &mut self.state);
        let recalled = self.recall_from(missing, system, (store, cursor), state, account, targets);
        if recalled != Ok(true) {
            targets.take_back();
        }
        recalled
    }

    /// Whether the fields are to be asked for, or the sleep set of such a state.
    #[inline(always)]
    fn is_unprepared(&self, after: u32) -> bool {
        self.outdated || self.sleep_sets.get(after as usize).is_none_or(|row| row.is_empty())
    }

    #[cold]
    fn prepare(&mut self, system: &dyn System, store: &Collapse, after: u32) -> bool {
        let Some(system) = system.agents() else { return false };
        if self.outdated {
            self.renew(system, store);
        }
        if self.is_unprepared(after) {
            self.learn_sleep_set(system, after);
        }
        true
    }

    /// The same from the agent at a place on that misses.
    fn recall_from(
        &mut self,
        mut place: usize,
        system: &dyn System,
        (store, cursor): (&Collapse, &mut Cursor),
        state: (Word, u32),
        account: &mut dyn Account,
        targets: &mut Targets,
    ) -> Result<bool, Need> {
        let Some(system) = system.agents() else { return Ok(false) };
        loop {
            let agent = self.agents[place].agent();
            let mut next = place + 1;
            if self.resting.is_group(agent) {
                if self.ask_group((system, place), state.0, (store, cursor))? {
                    // Who woke stands before those that were asked already.
                    targets.take_back();
                    next = 0;
                }
            } else {
                if !self.ask(system, agent, (store, cursor))? {
                    return Ok(false);
                }
                self.learn(system, place, state, store, targets);
            }
            if !self.pays(account) {
                return Ok(false);
            }
            match self.follow(state, next, targets) {
                Some(next) => place = next,
                None => return Ok(targets.count() + targets.left_out() > 0),
            }
        }
    }

    /// Takes the steps of the agents from a place on; the place of one that misses.
    #[inline(always)]
    fn follow(
        &self,
        (number, after): (Word, u32),
        first: usize,
        targets: &mut Targets,
    ) -> Option<usize> {
        targets.reserve(self.agents.len() * self.most, 1);
        let mut adding = targets.adding(number, &self.sleep_sets[after as usize]);
        let mut missing = None;
        for (place, cache) in (first..).zip(&self.agents[first..]) {
            let key = cache.key(number);
            let entry = cache.entry(key);
            if entry.key != key {
                missing = Some(place);
                break;
            }
            adding.add(entry.first(), entry.steps() > 0);
            if entry.steps() > 1 {
                self.more[entry.more()].iter().for_each(|change| adding.add(*change, true));
            }
        }
        let end = adding.end();
        targets.added(end);
        missing
    }

    fn learn_sleep_set(&mut self, system: &dyn Agents, after: u32) {
        let mut row = Vec::new();
        system.first_step_sleep_set(after, &mut row);
        // A bit for every weight, none of which sleeps.
        let words = if self.batch.is_named() { WEIGHTS / Word::BITS as usize } else { 1 };
        row.resize(row.len().max(words), 0);
        self.sleep_set_bytes += size_of_val(&*row) as u64;
        let rows = self.sleep_sets.len().max(after as usize + 1);
        self.sleep_sets.resize(rows, Box::default());
        self.sleep_sets[after as usize] = row.into();
    }

    /// Whether the transitions or agents of the batch can be noted.
    fn fit_notes(&self) -> bool {
        let fits = |number: u32| number <= u32::from(u16::MAX);
        match self.noted {
            Noted::Tags | Noted::Weights => true,
            Noted::Transitions => self.batch.transitions().iter().all(|by| fits(by.0)),
            Noted::Agents => self.batch.steps().all(|step| fits(step.agent)),
        }
    }

    /// Asks an agent for its steps; `false` if they cannot be listed alone.
    fn ask(
        &mut self,
        system: &dyn Agents,
        agent: usize,
        (store, cursor): (&Collapse, &mut Cursor),
    ) -> Result<bool, Need> {
        self.asked += 1;
        self.batch.clear();
        let listed = system.steps_of(agent, &self.state, &mut self.batch);
        if !listed || !self.batch.outcomes().is_empty() || !self.fit_notes() {
            return Ok(false);
        }
        self.numbers.clear();
        let (family, numbers) = ((&*self.state, self.batch.states()), &mut self.numbers);
        store.intern_all(cursor, family, |number| numbers.push(number))?;
        Ok(true)
    }

    /// Takes what the agent at a place said, and remembers it if that may pay.
    fn learn(
        &mut self,
        system: &dyn Agents,
        place: usize,
        (number, after): (Word, u32),
        store: &Collapse,
        targets: &mut Targets,
    ) {
        let first = self.more.len();
        targets.reserve(self.numbers.len(), 1);
        let mut adding = targets.adding(number, &self.sleep_sets[after as usize]);
        for (at, other) in self.numbers.iter().enumerate() {
            let note = match self.noted {
                Noted::Tags => u16::try_from(self.batch.tags()[at]).unwrap_or(0),
                Noted::Weights => self.batch.step(at).0.weight,
                Noted::Transitions => self.batch.transitions()[at].0 as u16,
                Noted::Agents => self.batch.step(at).0.agent as u16,
            };
            let change = Change { bits: other ^ number, note };
            adding.add(change, true);
            self.more.push(change);
        }
        let end = adding.end();
        targets.added(end);
        self.remember((system, place), number, store, (first, 0));
    }

    /// Remembers what the agent at a place said, which stands from `first` on, with the number of its
    /// present, if that may pay.
    #[inline]
    fn remember(
        &mut self,
        (system, place): (&dyn Agents, usize),
        number: Word,
        store: &Collapse,
        (first, present): (usize, u16),
    ) -> bool {
        let cache = &mut self.agents[place];
        let agent = cache.agent();
        let read = |bits: &mut dyn FnMut(Word)| {
            system.read_set(agent, &self.state, &mut |word| bits(store.field(word).all()))
        };
        let few = self.numbers.len() < STEPS_MAX;
        if !cache.miss() || !few || !cache.knows_read_set(number, read) {
            self.more.truncate(first);
            return false;
        }
        self.most = self.most.max(self.numbers.len());
        let entry = Entry::new(cache.key(number), first, &mut self.more);
        cache.write(entry.with_present(present));
        if self.more.len() > MORE_MAX {
            self.forget();
        }
        true
    }

    /// Whether to go on: not if all agents miss for most states, or there is no memory.
    fn pays(&mut self, account: &mut dyn Account) -> bool {
        if self.states >= STATES_PER_TRIAL {
            let (resting, states) = (&self.resting, self.states);
            let alone = self.agents.iter_mut().filter(|cache| !resting.is_group(cache.agent()));
            alone.for_each(|cache| cache.judge(states));
            self.given_up = self.agents.iter().all(AgentCache::is_given_up);
            self.states = 0;
        }
        self.affords(account)
    }

    /// Whether to go on: not if there is no memory.
    fn affords(&mut self, account: &mut dyn Account) -> bool {
        // Once for as many agents as there are to be looked at.
        self.unbooked += 1;
        let is_due = self.unbooked >= self.agents.len();
        if self.given_up || is_due && !self.book(account) {
            self.give_up(account);
        }
        !self.given_up
    }

    /// Gives all memory back for good; whether there was any.
    #[cold]
    pub(crate) fn give_up(&mut self, account: &mut dyn Account) -> bool {
        let bytes = std::mem::take(&mut self.booked);
        account.give(bytes);
        (self.sleep_set_bytes, self.given_up) = (0, true);
        (self.agents, self.resting) = (Vec::new(), Resting::new(self.count()));
        (self.more, self.sleep_sets, self.futures) = (Vec::new(), Vec::new(), None);
        bytes > 0
    }

    fn book(&mut self, account: &mut dyn Account) -> bool {
        self.unbooked = 0;
        let more = (self.more.capacity() * size_of::<Change>()) as u64;
        let agents = self.agents.iter().map(AgentCache::bytes).sum::<u64>() + self.resting.bytes();
        let futures = self.futures.as_ref().map_or(0, Futures::bytes);
        let bytes = agents + self.sleep_set_bytes + more + futures;
        let grown = bytes.saturating_sub(self.booked);
        let booked = grown == 0 || account.take(grown).is_ok();
        self.booked += if booked { grown } else { 0 };
        booked
    }
}
