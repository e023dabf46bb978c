//! At most so many states: when a new one comes and there is no room, a closed one is
//! forgotten. States of the current path stay, so cycles are found and the search
//! ends; a forgotten state that is met again is explored again, so no state is missed.
//!
//! With a depth bound the rule of the exhaustive search (Holzmann 1985, section II) holds for
//! what is stored: the depth beside a state is the smallest one at which it was entered since
//! it is stored, and is forgotten with it. Every state within the bound is entered at its
//! distance from the start. Proof by induction on the distance: its predecessor on a shortest
//! way is entered at its own distance and expanded. The state is then entered at its distance,
//! unless it is stored with a depth as small, at which it was entered. It is not on the
//! path, for every state of the path is nearer than that. The search ends because no path
//! is longer than the bound.
//!
//! After Holzmann's *Automated Protocol Validation in Argos* (1987), section 5, and
//! Godefroid, Holzmann and Pirottin (1995), section 5. Which state goes is chosen by one of
//! eight strategies, (a) to (f) of 1987 and two of 1995. Random is the default: with sleep sets and half a percent of the
//! states of `dtp.pml` it takes as many edges as the papers' blind round robin at most, and
//! without them, at half of the states, 1.12 times the edges (round robin: 2.7 times).
//!
//! INVARIANT: the table holds the number of every slot; `open` slots are pinned.

use super::ring::Ring;
use super::{Coverage, Key, Opens, Seen, Store};
use crate::Why;
use crate::memory::{Memory, bytes_of};
use crate::recreated::Recreated;
use crate::revisit::Arrival;
use hashbrown::HashTable;
use rapidhash::quality::RapidHasher;
use std::hash::{Hash, Hasher};
use system::{Dice, LastStatement, Word};

/// Which state is forgotten for a new one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Replace {
    /// (a) The most visited one of those scanned.
    Most,
    /// (b) The least visited one of those scanned.
    Least,
    /// (c) The next one that was visited as often as most states are.
    Class,
    /// (d) The next one.
    RoundRobin,
    /// (e) The next one in the lower half of the tree.
    Subtree,
    /// (f) Any one.
    #[default]
    Random,
    /// (g) The next one that was not reached by a step of this type.
    Avoid(LastStatement),
    /// (h) The one with the highest type of step of those scanned.
    Type,
}

impl Replace {
    /// Whether the states are asked one after the other, in the order in which they were
    /// left.
    fn goes_round(self) -> bool {
        match self {
            Replace::Class | Replace::RoundRobin | Replace::Subtree | Replace::Avoid(_) => true,
            Replace::Most | Replace::Least | Replace::Random | Replace::Type => false,
        }
    }
}

/// How large a cache is and how it forgets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CacheRequest {
    /// So many states; none: as many as the memory limit leaves room for.
    pub states_max: Option<u64>,
    /// Which state is forgotten.
    pub replace: Replace,
    /// How many states are scanned for one, where a strategy scans.
    pub scan: u32,
    /// Whether states created again are counted exactly, at the price of remembering all.
    pub count_recreated: bool,
    /// Whether it counts how often states were visited again.
    pub revisits: bool,
    /// What lots are drawn by.
    pub seed: u64,
}

impl Default for CacheRequest {
    fn default() -> Self {
        Self {
            states_max: None,
            replace: Replace::default(),
            scan: SCAN,
            count_recreated: false,
            revisits: false,
            seed: 1,
        }
    }
}

/// How many states are scanned unless state otherwise: the number the 1995 paper's
/// type-oriented strategy was measured with.
pub const SCAN: u32 = 20;
/// Of the memory limit a cache without a size takes so many percent: the path, which
/// comes beside it, is small.
const MEMORY_PERCENT: u64 = 75;
/// Of which the program itself holds so much, roughly: its size must not depend on more.
const PROGRAM_BYTES: u64 = 16 << 20;

/// What a cache without a size takes of a limit.
fn bytes_for_states(limit: u64) -> u64 {
    limit.saturating_sub(PROGRAM_BYTES).max(limit / 2) / 100 * MEMORY_PERCENT
}

/// A stored state beside its words.
#[derive(Clone, Copy, Debug)]
struct Slot {
    hash: u64,
    /// How deep it was met last.
    depth: u64,
    /// The smallest depth at which it was entered since it is stored.
    entered: u64,
    visits: u32,
    tag: LastStatement,
    open: bool,
    /// It has a place in the ring, and keeps it while it is explored again.
    in_ring: bool,
}

impl Slot {
    /// A state that is new.
    fn new(hash: u64, Arrival { depth, tag }: Arrival) -> Self {
        Self { hash, depth, entered: depth, visits: 1, tag, open: true, in_ring: false }
    }
}

/// Stores so many states.
#[derive(Debug)]
pub(crate) struct Cache {
    width: usize,
    identity: usize,
    request: CacheRequest,
    slots_max: usize,
    words: Vec<Word>,
    slots: Vec<Slot>,
    table: HashTable<u32>,
    /// How many slots are pinned.
    open: usize,
    /// How many states have so many visits; the last one, so many or more.
    classes: [u64; CLASSES],
    /// The deepest place where a state was met.
    depth_max: u64,
    /// What strategies that go round go round; empty for others.
    ring: Ring,
    dice: Dice,
    evictions: u64,
    recreated: Recreated,
    revisits: Revisits,
}

/// Classes of states by visits.
const CLASSES: usize = 16;

/// How often states were visited again, by how often they had been visited
/// (Holzmann 1987, section 5, figure 2).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Revisits {
    /// At n - 1: how many stored states were visited n times at least.
    pub reached: [u64; CLASSES],
}

impl Cache {
    pub(crate) fn new(
        (width, identity): (usize, usize),
        request: CacheRequest,
        memory_bytes_max: Option<u64>,
    ) -> Self {
        let each = (width * size_of::<Word>() + size_of::<Slot>() + 16) as u64;
        let from_memory = memory_bytes_max.map_or(u64::MAX, bytes_for_states);
        let most = request.states_max.unwrap_or(from_memory / each).clamp(1, u64::from(u32::MAX));
        Self {
            width,
            identity,
            request,
            slots_max: most as usize,
            words: Vec::new(),
            slots: Vec::new(),
            table: HashTable::new(),
            open: 0,
            classes: [0; CLASSES],
            depth_max: 0,
            ring: Ring::default(),
            dice: Dice::new(request.seed),
            evictions: 0,
            recreated: Recreated::new(width, identity, request.count_recreated),
            revisits: Revisits::default(),
        }
    }

    /// Makes room for so many more slots.
    fn enlarge(&mut self, states: usize, memory: &mut Memory) -> Result<(), Why> {
        memory.grow(&mut self.words, states * self.width)?;
        memory.grow(&mut self.slots, states)?;
        if self.request.replace.goes_round() {
            self.ring.make_room(states, memory)?;
        }
        if self.table.capacity() - self.table.len() <= states {
            let old = self.table.allocation_size() as u64;
            memory.allow(2 * old + 64)?;
            let slots = &self.slots;
            let rehash = |slot: &u32| slots[*slot as usize].hash;
            self.table.try_reserve(states + 1, rehash).map_err(|_| Why::Memory)?;
            memory.exchange(old, self.table.allocation_size() as u64);
        }
        Ok(())
    }

    fn find(&self, hash: u64, state: &[Word]) -> Option<u32> {
        let same = |slot: &u32| self.identity_of(*slot as usize) == state;
        self.table.find(hash, same).copied()
    }

    /// The words of a slot that tell states apart.
    fn identity_of(&self, slot: usize) -> &[Word] {
        &self.words[slot * self.width..][..self.identity]
    }

    /// A slot for a new state. There is a closed one if there is no free one: `admit` was
    /// asked.
    fn free_slot(&mut self) -> usize {
        if self.slots.len() < self.slots_max {
            self.words.resize(self.words.len() + self.width, 0);
            self.slots.push(Slot::new(0, Arrival { depth: 0, tag: LastStatement::Other }));
            return self.slots.len() - 1;
        }
        let slot = self.victim();
        self.evictions += 1;
        let found = self.table.find_entry(self.slots[slot].hash, |other| *other == slot as u32);
        debug_assert!(found.is_ok(), "every slot is in the table");
        if let Ok(entry) = found {
            entry.remove();
        }
        self.classes[class(self.slots[slot].visits)] -= 1;
        slot
    }

    /// The state to forget.
    fn victim(&mut self) -> usize {
        match self.request.replace {
            Replace::RoundRobin => self.next(|_| true),
            Replace::Random => self.any(),
            Replace::Class => {
                let largest = (0..CLASSES).max_by_key(|class| self.classes[*class]).unwrap_or(0);
                self.next(|slot| class(slot.visits) == largest)
            }
            Replace::Subtree => {
                let half = self.depth_max / 2;
                self.next(|slot| slot.depth >= half)
            }
            Replace::Avoid(tag) => self.next(|slot| slot.tag != tag),
            Replace::Most => self.best(|slot| u64::from(slot.visits)),
            Replace::Least => self.best(|slot| u64::from(u32::MAX - slot.visits)),
            Replace::Type => self.best(|slot| slot.tag as u64),
        }
    }

    /// The closed state that was left longest ago of those that are wanted; of all if none
    /// is.
    fn next(&mut self, wanted: impl Fn(&Slot) -> bool) -> usize {
        let slots = &self.slots;
        let is_closed = |slot: u32| !slots[slot as usize].open;
        let found = self.ring.take(is_closed, |slot| wanted(&slots[slot as usize]));
        found.expect("there is a closed state") as usize
    }

    /// Any place.
    fn any_place(&mut self) -> usize {
        ((u128::from(self.dice.roll()) * self.slots.len() as u128) >> 64) as usize
    }

    /// Any closed state.
    fn any(&mut self) -> usize {
        // Where almost all are pinned, a search in order from a random place.
        for _ in 0..64 {
            let place = self.any_place();
            if !self.slots[place].open {
                return place;
            }
        }
        let (len, start) = (self.slots.len(), self.any_place());
        let mut places = (0..len).map(|offset| (start + offset) % len);
        places.find(|place| !self.slots[*place].open).expect("there is a closed state")
    }

    /// The closed state with the highest rank of so many random ones, or of all if so
    /// many are to be scanned.
    fn best(&mut self, rank: impl Fn(&Slot) -> u64) -> usize {
        if self.request.scan as usize >= self.slots.len() {
            let closed = (0..self.slots.len()).filter(|place| !self.slots[*place].open);
            return closed.max_by_key(|place| rank(&self.slots[*place])).unwrap_or(0);
        }
        let mut best = self.any();
        for _ in 1..self.request.scan {
            let other = self.any();
            if rank(&self.slots[other]) > rank(&self.slots[best]) {
                best = other;
            }
        }
        best
    }

    /// A state is created that is not to be stored.
    pub(crate) fn pass(&mut self, form: &[Word]) {
        let hash = hash(&form[..self.identity]);
        self.recreated.create(form, hash, self.slots.len() as u64);
    }

    fn meet_again(&mut self, number: usize, arrival: Arrival) {
        let slot = &mut self.slots[number];
        let before = class(slot.visits);
        self.classes[before] -= 1;
        slot.visits = slot.visits.saturating_add(1);
        slot.tag = slot.tag.min(arrival.tag);
        slot.depth = arrival.depth;
        let after = class(slot.visits);
        self.classes[after] += 1;
        self.revisits.reached[after] += u64::from(after > before);
    }

    /// What became of the cache so far.
    pub(crate) fn figures(&self) -> CacheFigures {
        CacheFigures {
            slots: self.slots_max as u64,
            pinned: self.open as u64,
            evictions: self.evictions,
            recreated: self.recreated.count(),
            exact: self.request.count_recreated,
            explodes: self.recreated.explodes(),
            revisits: self.request.revisits.then_some(self.revisits),
        }
    }
}

/// What became of a cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CacheFigures {
    /// How many states fit.
    pub slots: u64,
    /// How many of them are on the path now.
    pub pinned: u64,
    /// States forgotten.
    pub evictions: u64,
    /// States created that had been created before.
    pub recreated: u64,
    /// Whether that is exact, or by hashes.
    pub exact: bool,
    /// Lately almost every state created had been created before.
    pub explodes: bool,
    /// How often states were met again, if that was asked.
    pub revisits: Option<Revisits>,
}

/// The class of a state with so many visits.
fn class(visits: u32) -> usize {
    (visits.max(1) as usize - 1).min(CLASSES - 1)
}

impl Store for Cache {
    type Note = Arrival;

    fn stride(&self) -> usize {
        self.width
    }

    /// A cache without a size has the one at which there is no more memory.
    fn make_room(&mut self, states: usize, memory: &mut Memory) -> Result<(), Why> {
        let sizeless = self.request.states_max.is_none() && !self.slots.is_empty();
        match self.enlarge(states.min(self.slots_max - self.slots.len()), memory) {
            Err(Why::Memory) if sizeless => self.slots_max = self.slots.len(),
            end => end?,
        }
        self.recreated.make_room(memory)
    }

    fn admit(&self, form: &[Word]) -> Result<(), Why> {
        let state = &form[..self.identity];
        let has_room = self.open < self.slots_max || self.find(hash(state), state).is_some();
        if has_room { Ok(()) } else { Err(Why::Cache) }
    }

    fn insert(&mut self, form: &[Word], arrival: Arrival) -> Seen {
        let state = &form[..self.identity];
        let hash = hash(state);
        self.depth_max = self.depth_max.max(arrival.depth);
        if let Some(number) = self.find(hash, state) {
            self.meet_again(number as usize, arrival);
            let key = Key(u64::from(number));
            let open = self.slots[number as usize].open;
            return if open { Seen::OnPath(key) } else { Seen::Done(key) };
        }
        self.recreated.create(form, hash, self.slots.len() as u64);
        let number = self.free_slot();
        self.words[number * self.width..][..self.width].copy_from_slice(form);
        self.slots[number] = Slot::new(hash, arrival);
        self.classes[0] += 1;
        self.revisits.reached[0] += 1;
        self.open += 1;
        let slots = &self.slots;
        self.table.insert_unique(hash, number as u32, |slot| slots[*slot as usize].hash);
        Seen::New(Key(number as u64))
    }

    fn close(&mut self, key: Key) {
        let slot = &mut self.slots[key.0 as usize];
        debug_assert!(slot.open, "a state is closed once for each time it is opened");
        slot.open = false;
        self.open -= 1;
        if self.request.replace.goes_round() && !slot.in_ring {
            slot.in_ring = true;
            self.ring.join(key.0 as u32);
        }
    }

    fn reopen(&mut self, key: Key) {
        let slot = &mut self.slots[key.0 as usize];
        debug_assert!(!slot.open, "a state on the path is not explored again");
        slot.open = true;
        self.open += 1;
    }

    fn note(&self, key: Key) -> Arrival {
        let Slot { entered, tag, .. } = self.slots[key.0 as usize];
        Arrival { depth: entered, tag }
    }

    fn set_note(&mut self, key: Key, arrival: Arrival) {
        let slot = &mut self.slots[key.0 as usize];
        (slot.entered, slot.tag) = (arrival.depth, arrival.tag);
    }

    fn bytes(&self) -> u64 {
        let table = self.table.allocation_size() as u64;
        bytes_of(&self.words)
            + bytes_of(&self.slots)
            + self.ring.bytes()
            + table
            + self.recreated.bytes()
    }

    fn coverage(&self) -> Coverage {
        Coverage::Exact
    }

    fn cache(&self) -> Option<CacheFigures> {
        Some(self.figures())
    }
}

impl Opens for Cache {
    fn is_open(&self, form: &[Word]) -> bool {
        let state = &form[..self.identity];
        self.find(hash(state), state).is_some_and(|number| self.slots[number as usize].open)
    }
}

/// Seeded alike in every run: the same search is the same search.
fn hash(words: &[Word]) -> u64 {
    let mut hasher = RapidHasher::default_const();
    Word::hash_slice(words, &mut hasher);
    hasher.finish()
}
