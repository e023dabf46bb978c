//! Ample sets from remembered steps: which agent can be moved alone is decided by bits, like
//! everything else that a cache remembers.
//!
//! With the steps of an agent the number of its present is remembered, and for each of its
//! control locations its future, a bit for each present of another agent that it may disturb
//! from there on ([`PersistentSets`]). An agent can be moved alone iff the bit of its present
//! is in the future of no agent.

use super::{AgentCache, Change, Targets, TransitionCache};
use collapse::{Account, Collapse, Cursor, Need};
use system::{PersistentSets, System, Word};

/// How a state was expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Expansion {
    /// How many agents that can be moved alone have been moved in the state, this one
    /// included; 0 if all are moved.
    pub(crate) tried: u16,
    /// The number of the one whose steps are taken, if not all are.
    pub(crate) agent: u32,
    /// How many steps of the others are left out.
    pub(crate) left_out: u32,
}

/// The futures of agents, and who moves in the state at hand.
#[derive(Debug)]
pub(super) struct Futures {
    agents: Vec<Rows>,
    /// What steps call each agent.
    numbers: Vec<u32>,
    /// The words of a row.
    stride: usize,
    /// How many presents there are.
    presents: u16,
    /// What the agents of the state may disturb.
    all: Vec<Word>,
    movers: Vec<Mover>,
    row: Vec<Word>,
}

/// The futures of an agent by its locations, one row after the other, and one more than how
/// many presents each row knows; 0 where there is none.
#[derive(Clone, Debug, Default)]
struct Rows {
    words: Vec<Word>,
    known: Vec<u16>,
}

/// An agent that has steps, the place of the first one, and how many.
#[derive(Clone, Copy, Debug)]
struct Mover {
    agent: u32,
    present: u16,
    place: u32,
    steps: u32,
}

impl Futures {
    pub(super) fn new(agents: usize) -> Self {
        let (agents, numbers) = (vec![Rows::default(); agents], vec![0; agents]);
        let (all, movers, row) = Default::default();
        Self { agents, numbers, stride: 1, presents: 0, all, movers, row }
    }

    /// Locations have other numbers now.
    pub(super) fn forget(&mut self) {
        self.agents.iter_mut().for_each(|rows| *rows = Rows::default());
    }

    pub(super) fn bytes(&self) -> u64 {
        let bytes = |rows: &Rows| 8 * rows.words.capacity() + 2 * rows.known.capacity();
        self.agents.iter().map(|rows| bytes(rows) as u64).sum()
    }

    fn begin(&mut self) {
        self.movers.clear();
        self.all.clear();
        self.all.resize(self.stride, 0);
    }

    /// Adds what an agent may disturb; `false` if that has to be worked out.
    #[inline(always)]
    fn join(&mut self, agent: usize, location: usize) -> bool {
        let rows = &self.agents[agent];
        if rows.known.get(location) != Some(&(self.presents + 1)) {
            return false;
        }
        let row = &rows.words[location * self.stride..][..self.stride];
        self.all.iter_mut().zip(row).for_each(|(all, row)| *all |= row);
        true
    }

    /// One of the agents that can be moved alone, after so many others; none unless somebody
    /// is left out then.
    #[inline(always)]
    fn choose(&self, others: u16) -> Option<Mover> {
        let bit = |present: u16| {
            self.all[usize::from(present) / Word::BITS as usize]
                >> (u32::from(present) % Word::BITS)
        };
        let is_alone = |mover: &&Mover| mover.present != 0 && bit(mover.present) & 1 == 0;
        let mut alone = self.movers.iter().filter(is_alone);
        // Places have two bytes.
        let fits = self.movers.len() > 1 && self.steps() <= u32::from(u16::MAX);
        alone.nth(usize::from(others)).copied().filter(|_| fits)
    }

    fn steps(&self) -> u32 {
        self.movers.last().map_or(0, |last| last.place + last.steps)
    }

    /// Works out what an agent may disturb from its location.
    #[cold]
    fn learn(
        &mut self,
        system: &dyn PersistentSets,
        agent: usize,
        location: usize,
        state: &[Word],
    ) {
        self.presents = system.presents();
        self.widen(usize::from(self.presents) / Word::BITS as usize + 1);
        let rows = &mut self.agents[agent];
        let count = rows.known.len().max(location + 1);
        rows.known.resize(count, 0);
        rows.words.resize(count * self.stride, 0);
        system.future(agent, state, &mut self.row);
        let row = &mut rows.words[location * self.stride..][..self.row.len()];
        row.copy_from_slice(&self.row);
        rows.known[location] = self.presents + 1;
    }

    fn widen(&mut self, stride: usize) {
        let before = self.stride;
        if stride <= before {
            return;
        }
        self.stride = stride;
        for rows in &mut self.agents {
            let mut words = vec![0; rows.known.len() * self.stride];
            for (new, old) in words.chunks_mut(self.stride).zip(rows.words.chunks(before)) {
                new[..before].copy_from_slice(old);
            }
            rows.words = words;
        }
    }
}

impl TransitionCache {
    /// Makes room for what ample sets need.
    pub(crate) fn with_ample_sets(mut self) -> Self {
        self.futures = Some(Futures::new(self.agents.len()));
        self
    }

    /// As [`TransitionCache::recall`], but appends the steps of one agent only, where one can be
    /// moved alone beside `others` of whom that is so, too. The tag of each successor is its
    /// place among all. None if nothing is appended.
    #[inline]
    pub(crate) fn recall_ample(
        &mut self,
        system: &dyn System,
        (store, cursor): (&Collapse, &mut Cursor),
        (key, others): (Word, u16),
        account: &mut dyn Account,
        targets: &mut Targets,
    ) -> Result<Option<Expansion>, Need> {
        if self.given_up || self.is_unprepared(0) && !self.prepare(system, store, 0) {
            return Ok(None);
        }
        let number = store.number_of(key);
        let mut misses = 0;
        while let Err(agent) = self.gather(number) {
            if misses == 0 {
                store.load(cursor, key, &mut self.state);
            }
            misses += 1;
            // Each agent once for its steps and once for its future, unless all is forgotten.
            let learned = self.learn_ample(system, agent, number, (store, cursor))?;
            if !learned || misses > 4 * self.agents.len() || !self.affords(account) {
                return Ok(None);
            }
        }
        Ok(self.append(number, others, targets))
    }

    /// Finds the steps and futures of all agents; `Err` with one whose are not known.
    #[inline(always)]
    fn gather(&mut self, number: Word) -> Result<(), usize> {
        let Some(futures) = &mut self.futures else { return Err(0) };
        futures.begin();
        let mut place = 0;
        for (agent, cache) in self.agents.iter().enumerate() {
            let key = cache.key(number);
            let entry = cache.entry(key);
            if entry.key != key || !futures.join(agent, cache.location(number)) {
                return Err(agent);
            }
            let steps = entry.steps() as u32;
            if steps > 0 {
                let (agent, present) = (agent as u32, entry.present());
                futures.movers.push(Mover { agent, present, place, steps });
                place += steps;
            }
        }
        Ok(())
    }

    /// Appends the steps of the agent that is moved alone, or of all.
    #[inline(always)]
    fn append(&mut self, number: Word, others: u16, targets: &mut Targets) -> Option<Expansion> {
        let futures = self.futures.as_ref()?;
        let Some(mover) = futures.choose(others) else {
            self.follow((number, 0), 0, targets);
            return (targets.count() > 0).then(Expansion::default);
        };
        let cache = &self.agents[mover.agent as usize];
        let entry = cache.entry(cache.key(number));
        targets.reserve(entry.steps(), 1);
        let mut adding = targets.adding(number, &self.sleep_sets[0]);
        adding.add_at(entry.first().bits, mover.place);
        for (place, change) in (mover.place + 1..).zip(&self.more[entry.more()]) {
            adding.add_at(change.bits, place);
        }
        let end = adding.end();
        targets.added(end);
        let left_out = futures.steps() - mover.steps;
        Some(Expansion {
            tried: others + 1,
            agent: futures.numbers[mover.agent as usize],
            left_out,
        })
    }

    /// Asks an agent for what is not known of it; `false` if it cannot be remembered.
    #[cold]
    fn learn_ample(
        &mut self,
        system: &dyn System,
        agent: usize,
        number: Word,
        (store, cursor): (&Collapse, &mut Cursor),
    ) -> Result<bool, Need> {
        let (Some(agents), Some(sets)) = (system.agents(), system.persistent_sets()) else {
            return Ok(false);
        };
        let cache = &self.agents[agent];
        let key = cache.key(number);
        if cache.entry(key).key != key {
            if !self.ask(agents, agent, (store, cursor))? {
                return Ok(false);
            }
            let present = sets.present(agent, &self.state);
            if let (Some(step), Some(futures)) = (self.batch.steps().next(), &mut self.futures) {
                futures.numbers[agent] = step.agent;
            }
            let (first, note) = (self.more.len(), 0);
            let changes = self.numbers.iter().map(|other| Change { bits: other ^ number, note });
            self.more.extend(changes);
            if !self.remember((agents, agent), number, store, (first, present)) {
                return Ok(false);
            }
        }
        let location = self.agents[agent].location(number);
        if location >= AgentCache::LOCATIONS_MAX {
            return Ok(false);
        }
        let Self { futures, state, .. } = self;
        futures.iter_mut().for_each(|futures| futures.learn(sets, agent, location, state));
        Ok(true)
    }
}
