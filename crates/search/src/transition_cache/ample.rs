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
    /// How many steps of the others are left out.
    pub(crate) left_out: u32,
}

/// The futures of agents, and who moves in the state at hand.
#[derive(Debug)]
pub(super) struct Futures {
    agents: Vec<Rows>,
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

/// An agent that has steps: where it is in the list, the place of its first step, and how many.
#[derive(Clone, Copy, Debug)]
struct Mover {
    at: u32,
    present: u16,
    place: u32,
    steps: u32,
}

impl Futures {
    pub(super) fn new(agents: usize) -> Self {
        let agents = vec![Rows::default(); agents];
        let (all, movers, row) = Default::default();
        Self { agents, stride: 1, presents: 0, all, movers, row }
    }

    /// Locations have other numbers now.
    pub(super) fn forget(&mut self) {
        self.agents.iter_mut().for_each(|rows| *rows = Rows::default());
    }

    /// There is a group of this number, which stands at location 0.
    pub(super) fn add_group(&mut self, group: usize) {
        self.agents.resize(self.agents.len().max(group + 1), Rows::default());
        self.agents[group] = Rows::default();
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

    /// Works out what an agent may disturb from its location, or what all `members` may, if it is
    /// a group.
    #[cold]
    fn learn(
        &mut self,
        system: &dyn PersistentSets,
        (agent, location): (usize, usize),
        members: impl Iterator<Item = usize>,
        state: &[Word],
    ) {
        self.presents = system.presents();
        self.widen(usize::from(self.presents) / Word::BITS as usize + 1);
        let rows = &mut self.agents[agent];
        let count = rows.known.len().max(location + 1);
        rows.known.resize(count, 0);
        rows.words.resize(count * self.stride, 0);
        let row = &mut rows.words[location * self.stride..][..self.stride];
        row.fill(0);
        for member in members {
            system.future(member, state, &mut self.row);
            row.iter_mut().zip(&self.row).for_each(|(row, own)| *row |= own);
        }
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
        self.futures = Some(Futures::new(self.count()));
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
        if self.resting.is_due() {
            self.look_at_agents(number);
        }
        let mut misses = 0;
        while let Err(place) = self.gather(number) {
            if misses == 0 {
                store.load(cursor, key, &mut self.state);
            }
            misses += 1;
            // Each agent once for its steps and once for its future, unless all is forgotten.
            let learned = self.learn_ample(system, place, number, (store, cursor))?;
            if !learned || misses > 4 * self.count() || !self.affords(account) {
                return Ok(None);
            }
        }
        Ok(self.append(number, others, targets))
    }

    /// Finds the steps and futures of all agents; `Err` with the place of one whose are not known.
    #[inline(always)]
    fn gather(&mut self, number: Word) -> Result<(), usize> {
        let Some(futures) = &mut self.futures else { return Err(0) };
        futures.begin();
        let mut place = 0;
        for (at, cache) in self.agents.iter().enumerate() {
            let key = cache.key(number);
            let entry = cache.entry(key);
            if entry.key != key || !futures.join(cache.agent(), cache.location(number)) {
                return Err(at);
            }
            let steps = entry.steps() as u32;
            if steps > 0 {
                let (at, present) = (at as u32, entry.present());
                futures.movers.push(Mover { at, present, place, steps });
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
        let cache = &self.agents[mover.at as usize];
        let entry = cache.entry(cache.key(number));
        targets.reserve(entry.steps(), 1);
        let mut adding = targets.adding(number, &self.sleep_sets[0]);
        adding.add_at(entry.first().bits, mover.place);
        for (place, change) in (mover.place + 1..).zip(&self.more[entry.more()]) {
            adding.add_at(change.bits, place);
        }
        let end = adding.end();
        targets.added(end);
        Some(Expansion { tried: others + 1, left_out: futures.steps() - mover.steps })
    }

    /// Asks the agent at a place, or the group, for what is not known of it; `false` if it cannot be
    /// remembered.
    #[cold]
    fn learn_ample(
        &mut self,
        system: &dyn System,
        place: usize,
        number: Word,
        (store, cursor): (&Collapse, &mut Cursor),
    ) -> Result<bool, Need> {
        let (Some(agents), Some(sets)) = (system.agents(), system.persistent_sets()) else {
            return Ok(false);
        };
        let (agent, is_known) = (self.agents[place].agent(), self.agents[place].knows(number));
        if self.resting.is_group(agent) {
            if !is_known && self.ask_group((agents, place), number, (store, cursor))? {
                return Ok(true);
            }
            let Self { futures, state, resting, .. } = self;
            let learn =
                |it: &mut Futures| it.learn(sets, (agent, 0), resting.members(agent), state);
            futures.iter_mut().for_each(learn);
            return Ok(true);
        }
        if !is_known {
            if !self.ask(agents, agent, (store, cursor))? {
                return Ok(false);
            }
            let present = sets.present(agent, &self.state);
            let (first, note) = (self.more.len(), 0);
            let changes = self.numbers.iter().map(|other| Change { bits: other ^ number, note });
            self.more.extend(changes);
            if !self.remember((agents, place), number, store, (first, present)) {
                return Ok(false);
            }
        }
        let location = self.agents[place].location(number);
        if location >= AgentCache::LOCATIONS_MAX {
            return Ok(false);
        }
        let Self { futures, state, .. } = self;
        let own = std::iter::once(agent);
        futures.iter_mut().for_each(|it| it.learn(sets, (agent, location), own.clone(), state));
        Ok(true)
    }
}
