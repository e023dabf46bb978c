//! Ample sets from remembered steps: which agent can be moved alone is decided by bits, like
//! everything else that a cache remembers.
//!
//! With the steps of an agent the number of its present is remembered, and for each of its
//! control locations its future, a bit for each present of another agent that it may disturb
//! from there on ([`PersistentSets`]). An agent can be moved alone iff the bit of its present
//! is in the future of no agent. A future that was worked out before some presents had numbers
//! will do in states without these. If there is none, a group of agents may do ([`Stubborn`]): it is
//! found from the same bits, in the square of the number of agents; where that seldom
//! helps, it is not tried any more.

use super::{AgentCache, Change, Targets, TransitionCache};
use crate::ample::Proviso;
use collapse::{Account, Collapse, Cursor, Need};
use system::{PersistentSets, Processes, Stubborn, System, Word};

/// Of so many states without an agent that can be moved alone, one in so many must have a group.
const GROUP_TRIALS: u32 = 1 << 12;
const STATES_PER_GROUP: u32 = 32;

/// How a state was expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Expansion {
    /// How many agents or groups that can be moved alone have been moved in the state, this
    /// one included; 0 if all are moved.
    pub(crate) tried: u16,
    /// The number of the first one whose steps are taken, if not all are.
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
    /// Only one agent is ever moved alone.
    is_single: bool,
    /// The words of a row.
    stride: usize,
    /// What the agents of the state may disturb.
    all: Vec<Word>,
    movers: Vec<Mover>,
    /// Those that are moved, others being left out.
    chosen: Vec<Mover>,
    row: Vec<Word>,
    joined: Vec<Word>,
    groups: Groups,
}

/// Groups of agents, in states without an agent that can be moved alone.
#[derive(Debug, Default)]
struct Groups {
    stubborn: Stubborn,
    /// Of each agent in the list, or each group of those that rest, its present, which nobody
    /// knows of such a group, its number, and its location.
    agents: Vec<(u16, usize, usize)>,
    /// In so many states groups were looked for, and found.
    tried: u32,
    found: u32,
}

impl Groups {
    /// Whether it has paid so far to look for groups of so many agents.
    fn pays(&self, agents: usize) -> bool {
        let few = self.tried < GROUP_TRIALS || self.found >= self.tried / STATES_PER_GROUP;
        few && agents <= Stubborn::AGENTS_MAX
    }
}

/// The futures of an agent. Its location is a word of the state, which may have many values at
/// one place of its control.
#[derive(Clone, Debug, Default)]
struct Rows {
    /// By the places, one row after the other, and how many presents each of them knows.
    words: Vec<Word>,
    known: Vec<u16>,
    /// By the numbers of locations one more than the place; 0 where that is not known.
    places: Vec<u32>,
}

impl Rows {
    /// The row of a location, and how many presents it knows.
    #[inline(always)]
    fn of(&self, location: usize, stride: usize) -> Option<(&[Word], u16)> {
        let place = (*self.places.get(location)? as usize).checked_sub(1)?;
        Some((&self.words[place * stride..][..stride], self.known[place]))
    }
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
    pub(super) fn new(agents: usize, proviso: Proviso) -> Self {
        let (agents, numbers) = (vec![Rows::default(); agents], vec![0; agents]);
        let (all, movers, chosen, row, joined, groups) = Default::default();
        let (stride, is_single) = (1, proviso == Proviso::All);
        Self { agents, numbers, is_single, stride, all, movers, chosen, row, joined, groups }
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
        let bytes = |rows: &Rows| {
            8 * rows.words.capacity() + 2 * rows.known.capacity() + 4 * rows.places.capacity()
        };
        self.agents.iter().map(|rows| bytes(rows) as u64).sum()
    }

    fn begin(&mut self) {
        self.movers.clear();
        self.all.clear();
        self.all.resize(self.stride, 0);
    }

    /// Adds what an agent may disturb; how many presents are known of it, none if it has to be
    /// worked out.
    #[inline(always)]
    fn join(&mut self, agent: usize, location: usize) -> Option<u16> {
        let (row, known) = self.agents[agent].of(location, self.stride)?;
        self.all.iter_mut().zip(row).for_each(|(all, row)| *all |= row);
        Some(known)
    }

    /// Chooses one of the agents that can be moved alone, or of the groups if there is none,
    /// after so many others; `false` if all are to be moved.
    #[inline(always)]
    fn choose(&mut self, caches: &[AgentCache], number: Word, others: u16) -> bool {
        // Places have two bytes.
        if self.movers.len() < 2 || self.steps() > u32::from(u16::MAX) {
            return false;
        }
        self.chosen.clear();
        let is_alone = |mover: &&Mover| mover.present != 0 && !has(&self.all, mover.present);
        let mut alone = self.movers.iter().filter(is_alone);
        let Some(first) = alone.next() else { return self.choose_group(caches, number, others) };
        let chosen = match others {
            0 => Some(first),
            _ => alone.nth(usize::from(others) - 1),
        };
        self.chosen.extend(chosen);
        chosen.is_some()
    }

    /// Chooses one of the groups, after so many others.
    fn choose_group(&mut self, caches: &[AgentCache], number: Word, others: u16) -> bool {
        if !self.groups.pays(caches.len()) {
            return false;
        }
        self.see_groups(caches, number);
        let Self { groups, movers, chosen, .. } = self;
        let of = |group: Processes| movers.iter().filter(move |mover| group >> mover.at & 1 != 0);
        let found = groups.stubborn.groups(|group| of(group).map(|mover| mover.steps).sum());
        let group = found.get(usize::from(others)).copied();
        if others == 0 {
            groups.tried += 1;
            groups.found += u32::from(group.is_some());
            if groups.tried >= 2 * GROUP_TRIALS {
                (groups.tried, groups.found) = (groups.tried / 2, groups.found / 2);
            }
        }
        chosen.extend(group.into_iter().flat_map(of));
        group.is_some()
    }

    /// Notes who may disturb whom.
    fn see_groups(&mut self, caches: &[AgentCache], number: Word) {
        let Self { agents, stride, all, movers, groups, .. } = self;
        let seen = caches.iter().map(|cache| {
            (cache.entry(cache.key(number)).present(), cache.agent(), cache.location(number))
        });
        groups.agents.clear();
        groups.agents.extend(seen);
        groups.stubborn.clear();
        let mut movers = movers.iter().map(|mover| mover.at as usize).peekable();
        for (at, (present, ..)) in groups.agents.iter().enumerate() {
            let disturbs = |other: usize| {
                let (_, agent, location) = groups.agents[other];
                agents[agent].of(location, *stride).is_none_or(|(row, _)| has(row, *present))
            };
            let disturbers = match has(all, *present) {
                true => (0..groups.agents.len())
                    .fold(0, |set, other| set | Processes::from(disturbs(other)) << other),
                false => 0,
            };
            let moves = movers.next_if_eq(&at).is_some();
            groups.stubborn.push(moves, Some(disturbers).filter(|_| *present != 0));
        }
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
        let presents = system.presents();
        self.widen(usize::from(presents) / Word::BITS as usize + 1);
        self.joined.clear();
        self.joined.resize(self.stride, 0);
        let mut place = 0;
        for member in members {
            place = system.future(member, state, &mut self.row);
            self.joined.iter_mut().zip(&self.row).for_each(|(row, own)| *row |= own);
        }
        let rows = &mut self.agents[agent];
        rows.places.resize(rows.places.len().max(location + 1), 0);
        rows.places[location] = place as u32 + 1;
        rows.known.resize(rows.known.len().max(place + 1), 0);
        rows.words.resize(rows.known.len() * self.stride, 0);
        rows.words[place * self.stride..][..self.stride].copy_from_slice(&self.joined);
        rows.known[place] = presents;
    }

    fn widen(&mut self, stride: usize) {
        let before = self.stride;
        if stride <= before {
            return;
        }
        // Not for every few presents: all rows are copied.
        self.stride = stride.next_power_of_two();
        for rows in &mut self.agents {
            let mut words = vec![0; rows.known.len() * self.stride];
            for (new, old) in words.chunks_mut(self.stride).zip(rows.words.chunks(before)) {
                new[..before].copy_from_slice(old);
            }
            rows.words = words;
        }
    }
}

/// Whether the bit of a present is in a row.
#[inline(always)]
fn has(row: &[Word], present: u16) -> bool {
    let (word, bit) = (u32::from(present) / Word::BITS, u32::from(present) % Word::BITS);
    row[word as usize] >> bit & 1 != 0
}

impl TransitionCache {
    /// Makes room for what ample sets need.
    pub(crate) fn with_ample_sets(mut self, proviso: Proviso) -> Self {
        self.futures = Some(Futures::new(self.count(), proviso));
        self
    }

    /// How often an agent was asked for its steps since this was.
    #[inline]
    pub(crate) fn take_asked(&mut self) -> u64 {
        std::mem::take(&mut self.asked)
    }

    /// As [`TransitionCache::recall`], but appends the steps of one agent only, or of a group,
    /// where that can be moved alone beside `others` of whom that is so, too. The tag of each
    /// successor is its place among all. None if nothing is appended.
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
            // Each agent once for its steps and for its future, and once more for the future where
            // those behind it have new presents, unless all is forgotten.
            let learned = self.learn_ample(system, place, number, (store, cursor))?;
            if !learned || misses > 6 * self.count() || !self.affords(account) {
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
        let (mut place, mut presents, mut least) = (0, 0, (u16::MAX, 0));
        for (at, cache) in self.agents.iter().enumerate() {
            let key = cache.key(number);
            let entry = cache.entry(key);
            if entry.key != key {
                return Err(at);
            }
            let Some(known) = futures.join(cache.agent(), cache.location(number)) else {
                return Err(at);
            };
            presents = presents.max(entry.present());
            least = least.min((known, at));
            let steps = entry.steps() as u32;
            if steps > 0 {
                let (at, present) = (at as u32, entry.present());
                futures.movers.push(Mover { at, present, place, steps });
                place += steps;
            }
        }
        if presents > least.0 { Err(least.1) } else { Ok(()) }
    }

    /// Appends the steps of the agents that are moved alone, or of all.
    #[inline(always)]
    fn append(&mut self, number: Word, others: u16, targets: &mut Targets) -> Option<Expansion> {
        let futures = self.futures.as_mut()?;
        let chooses = futures.choose(&self.agents, number, others);
        if !chooses || futures.is_single && futures.chosen.len() > 1 {
            self.follow((number, 0), 0, targets);
            return (targets.count() > 0).then(Expansion::default);
        }
        let steps = futures.chosen.iter().map(|mover| mover.steps).sum::<u32>();
        targets.reserve(steps as usize, 1);
        let mut adding = targets.adding(number, &self.sleep_sets[0]);
        for mover in &futures.chosen {
            let cache = &self.agents[mover.at as usize];
            let entry = cache.entry(cache.key(number));
            adding.add_at(entry.first().bits, mover.place);
            for (place, change) in (mover.place + 1..).zip(&self.more[entry.more()]) {
                adding.add_at(change.bits, place);
            }
        }
        let end = adding.end();
        targets.added(end);
        let first = &self.agents[futures.chosen[0].at as usize];
        let agent = futures.numbers[first.agent()];
        Some(Expansion { tried: others + 1, agent, left_out: futures.steps() - steps })
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
            if let (Some(step), Some(futures)) = (self.batch.steps().next(), &mut self.futures) {
                futures.numbers[agent] = step.agent;
            }
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
