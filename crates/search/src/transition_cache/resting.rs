//! Agents that rest: what concerns none of them costs next to nothing.
//!
//! A model may have hundreds of processes of which few ever move at a time. An agent that had no
//! step for a while joins a group, which stands in the list of agents for all of its members. It
//! has a cache like an agent, keyed by all that its members read, where every entry says that
//! nobody has a step. So as long as nothing changes that concerns them, they are asked by one
//! comparison.
//!
//! A group that misses asks its members, by their own caches. Those with a step are woken, and
//! take their places in the list again: steps come in the order of agents. Who wakes has to be
//! still for twice as long before it rests again.
//!
//! Of the bits that vary, all members of a group read the same ones: it has no more entries than
//! each of them would have. While its members rest they stand where they stood when it was made.

use super::TransitionCache;
use super::agent::{AgentCache, Entry};
use collapse::{Collapse, Cursor, Need};
use std::collections::BTreeMap;
use system::{Agents, Word};

/// Fewer agents than this never rest.
const AGENTS_MIN: usize = 8;
/// Fewer make no group.
const MEMBERS_MIN: usize = 3;
/// Agents are looked at after so many states at first, and twice as many each time, up to the
/// second number.
const STATES_AT_FIRST: u32 = 1 << 5;
const STATES_MAX: u32 = 1 << 11;
/// Of so many states a group may miss for one, or it is dissolved.
const STATES_PER_MISS: u64 = 16;
/// Who has had no step so many times rests, if it never did before.
const PATIENCE: u32 = 2;
/// And so many times if it often did.
const PATIENCE_MAX: u32 = 1 << 10;

/// Who rests, and when that is looked at.
#[derive(Debug)]
pub(super) struct Resting {
    /// How many agents there are in all. Groups have the numbers behind them.
    count: usize,
    groups: Vec<Group>,
    /// So many states until agents are looked at, and from then on.
    left: u32,
    every: u32,
    /// The bits that were seen to vary, and the number they were seen in last.
    varied: Word,
    last: Word,
}

/// Agents that rest together; none if it was dissolved.
#[derive(Debug, Default)]
struct Group {
    members: Vec<AgentCache>,
    /// The bits of their locations, and what they are as long as they rest.
    locations: Word,
    located: Word,
}

/// How still an agent has been.
#[derive(Debug)]
pub(super) struct Stillness {
    times: u32,
    patience: u32,
}

impl Default for Stillness {
    fn default() -> Self {
        Self { times: 0, patience: PATIENCE }
    }
}

impl Stillness {
    fn is_enough(&self) -> bool {
        self.times >= self.patience
    }

    fn wake(&mut self) {
        (self.times, self.patience) = (0, (2 * self.patience).min(PATIENCE_MAX));
    }
}

impl Resting {
    pub(super) fn new(count: usize) -> Self {
        let left = if count < AGENTS_MIN { u32::MAX } else { STATES_AT_FIRST };
        Self { count, groups: Vec::new(), left, every: left, varied: 0, last: 0 }
    }

    /// How many agents there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn members_mut(&mut self) -> impl Iterator<Item = &mut AgentCache> {
        self.groups.iter_mut().flat_map(|group| &mut group.members)
    }

    pub(super) fn bytes(&self) -> u64 {
        self.groups.iter().flat_map(|group| &group.members).map(AgentCache::bytes).sum()
    }

    /// Whether this is the number of a group.
    #[inline]
    pub(super) fn is_group(&self, agent: usize) -> bool {
        agent >= self.count
    }

    /// The members of a group.
    pub(super) fn members(&self, group: usize) -> impl Iterator<Item = usize> {
        self.groups[group - self.count].members.iter().map(AgentCache::agent)
    }

    /// One more state; whether agents are to be looked at.
    #[inline(always)]
    pub(super) fn is_due(&mut self) -> bool {
        self.left -= 1;
        self.left == 0
    }
}

impl TransitionCache {
    /// How many there are to be asked in a state, agents and groups.
    #[cfg(test)]
    pub(super) fn asked(&self) -> usize {
        self.agents.len()
    }

    /// Looks at agents in the state of this number: those that were still for long rest, groups
    /// that miss often are dissolved.
    #[cold]
    pub(super) fn look_at_agents(&mut self, number: Word) {
        let Self { agents, resting, .. } = self;
        resting.varied |= number ^ resting.last;
        resting.last = number;
        let mut kinds: BTreeMap<Word, Vec<usize>> = BTreeMap::new();
        let (mut restless, count) = (Vec::new(), resting.count);
        for (at, cache) in agents.iter_mut().enumerate() {
            if cache.agent() >= count {
                if cache.take_misses() * STATES_PER_MISS > u64::from(resting.every) {
                    restless.push(cache.agent());
                }
                continue;
            }
            let is_still = cache.is_still(number);
            let stillness = cache.stillness();
            stillness.times = if is_still { stillness.times + 1 } else { 0 };
            if stillness.is_enough() {
                kinds.entry(cache.read(number) & resting.varied).or_default().push(at);
            }
        }
        resting.every = resting.every.saturating_mul(2).min(STATES_MAX);
        resting.left = resting.every;
        kinds.retain(|_, members| members.len() >= MEMBERS_MIN);
        self.rest(number, kinds);
        restless.into_iter().for_each(|group| self.dissolve_group(group));
    }

    /// The agents at these places rest, in groups.
    fn rest(&mut self, number: Word, kinds: BTreeMap<Word, Vec<usize>>) {
        let mut groups: Vec<Option<usize>> = vec![None; self.agents.len()];
        for (group, members) in kinds.values().enumerate() {
            members.iter().for_each(|at| groups[*at] = Some(group));
        }
        let mut resting: Vec<Vec<AgentCache>> = kinds.values().map(|_| Vec::new()).collect();
        let mut awake = Vec::new();
        for (cache, group) in std::mem::take(&mut self.agents).into_iter().zip(groups) {
            group.map_or(&mut awake, |group| &mut resting[group]).push(cache);
        }
        self.agents = awake;
        for members in resting {
            let read = members.iter().fold(0, |read, cache| read | cache.read(number));
            let locations = members.iter().fold(0, |all, cache| all | cache.location_bits());
            let group = self.resting.count + self.resting.groups.len();
            let located = number & locations;
            self.resting.groups.push(Group { members, locations, located });
            let mut cache = AgentCache::of_group(group, read);
            cache.write(Entry::new(cache.key(number), 0, &mut Vec::new()));
            self.agents.push(cache);
            self.futures.iter_mut().for_each(|futures| futures.add_group(group));
        }
    }

    /// Agents take their places in the list again.
    fn wake(&mut self, members: impl IntoIterator<Item = AgentCache>) {
        for mut cache in members {
            cache.stillness().wake();
            self.agents.push(cache);
        }
        self.agents.sort_by_key(AgentCache::agent);
    }

    /// What was known of bits is void: nobody rests.
    pub(super) fn wake_all(&mut self) {
        let awake = Resting::new(self.count());
        let before = std::mem::replace(&mut self.resting, awake);
        self.agents.retain(|cache| cache.agent() < before.count);
        self.agents.extend(before.groups.into_iter().flat_map(|group| group.members));
        self.agents.sort_by_key(AgentCache::agent);
    }

    fn dissolve_group(&mut self, group: usize) {
        self.agents.retain(|cache| cache.agent() != group);
        let members = std::mem::take(&mut self.resting.groups[group - self.resting.count]);
        self.wake(members.members);
    }

    /// The group at a place has no entry for the state at hand, of this number. Makes one, or
    /// wakes who does not rest there; whether somebody woke.
    #[cold]
    pub(super) fn ask_group(
        &mut self,
        (system, place): (&dyn Agents, usize),
        number: Word,
        (store, cursor): (&Collapse, &mut Cursor),
    ) -> Result<bool, Need> {
        let name = self.agents[place].agent();
        let group = &self.resting.groups[name - self.resting.count];
        if number & group.locations != group.located {
            self.dissolve_group(name);
            return Ok(true);
        }
        let mut waking = Vec::new();
        for at in 0..group.members.len() {
            let is_still =
                self.is_member_still((system, name, at), number, (store, &mut *cursor))?;
            if !is_still {
                waking.push(at);
            }
        }
        let cache = &mut self.agents[place];
        cache.miss();
        cache.write(Entry::new(cache.key(number), 0, &mut Vec::new()));
        let members = &mut self.resting.groups[name - self.resting.count].members;
        let woken: Vec<AgentCache> = waking.iter().rev().map(|at| members.remove(*at)).collect();
        if members.is_empty() {
            self.dissolve_group(name);
        }
        let somebody = !woken.is_empty();
        if somebody {
            self.futures.iter_mut().for_each(|futures| futures.add_group(name));
            self.wake(woken);
        }
        Ok(somebody)
    }

    /// Whether a member of a group has no step in the state at hand, of this number.
    fn is_member_still(
        &mut self,
        (system, group, at): (&dyn Agents, usize, usize),
        number: Word,
        tables: (&Collapse, &mut Cursor),
    ) -> Result<bool, Need> {
        let place = group - self.resting.count;
        let cache = &self.resting.groups[place].members[at];
        if cache.knows(number) {
            return Ok(cache.is_still(number));
        }
        if !self.ask(system, cache.agent(), tables)? || !self.numbers.is_empty() {
            return Ok(false);
        }
        // Where it stands is known, so what it reads there is known, too.
        let cache = &mut self.resting.groups[place].members[at];
        cache.write(Entry::new(cache.key(number), 0, &mut Vec::new()));
        Ok(true)
    }
}

#[cfg(test)]
mod tests;
