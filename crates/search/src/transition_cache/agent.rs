//! What one agent does, by what it reads.

use super::resting::Stillness;
use super::targets::Change;
use collapse::Bits;
use std::ops::Range;
use system::Word;

/// A table has at first so many entries.
const ENTRIES_AT_FIRST: usize = 1 << 6;
/// And at most so many: one that is far from the processor is no quicker than the agent.
const ENTRIES_MAX: usize = 1 << 15;
/// Set in every read set, and so in every key: the key of an agent whose read set is not known,
/// no bits at all, is in no table. Numbers do not have it.
const KNOWN: Word = 1 << 63;
/// Of so many states an agent may miss for one, or the cache does not pay.
const STATES_PER_MISS: u64 = 2;

/// What one agent does, or a group of agents that rest.
#[derive(Debug)]
pub(super) struct AgentCache {
    /// The number of the agent, or of the group.
    agent: usize,
    location: Bits,
    /// The bits it reads, by the number of its location.
    read_sets: Vec<Word>,
    /// By their keys, as many as a power of two. Where two share a place the later one stays.
    entries: Box<[Entry]>,
    /// How many were written since the table grew.
    written: usize,
    /// Misses since it was judged.
    misses: u64,
    given_up: bool,
    stillness: Stillness,
}

/// What the agent does in states whose bits that it reads are `key`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) key: Word,
    /// Its first step.
    bits: Word,
    note: u16,
    steps: u16,
    /// Where those behind the first are, and in the higher bits the number of its present.
    more: u32,
}

/// Where steps are takes so many bits.
const MORE_BITS: u32 = 20;

/// No key is this.
const EMPTY: Entry = Entry { key: 1, bits: 0, note: 0, steps: 0, more: 0 };

impl Entry {
    /// Of the steps from `from` on: the first one of them is taken out.
    pub(super) fn new(key: Word, from: usize, more: &mut Vec<Change>) -> Self {
        let steps = (more.len() - from) as u16;
        let Change { bits, note } = if steps > 0 { more.remove(from) } else { Change::default() };
        Self { key, bits, note, steps, more: from as u32 }
    }

    #[inline(always)]
    pub(super) fn first(&self) -> Change {
        Change { bits: self.bits, note: self.note }
    }

    #[inline(always)]
    pub(super) fn steps(&self) -> usize {
        usize::from(self.steps)
    }

    /// The same with the number of its present.
    pub(super) fn with_present(self, present: u16) -> Self {
        Self { more: self.more | u32::from(present) << MORE_BITS, ..self }
    }

    #[inline(always)]
    pub(super) fn present(&self) -> u16 {
        (self.more >> MORE_BITS) as u16
    }

    /// Where the steps behind the first one are, of which there is one.
    #[inline(always)]
    pub(super) fn more(&self) -> Range<usize> {
        let from = (self.more & ((1 << MORE_BITS) - 1)) as usize;
        from..from + self.steps() - 1
    }
}

impl AgentCache {
    /// Locations with larger numbers are not remembered.
    pub(super) const LOCATIONS_MAX: usize = 1 << 16;

    pub(super) fn new(agent: usize) -> Self {
        Self {
            agent,
            location: Bits::default(),
            read_sets: Vec::new(),
            entries: Box::new([EMPTY]),
            written: 0,
            misses: 0,
            given_up: false,
            stillness: Stillness::default(),
        }
    }

    /// That of a group whose members read these bits as long as it exists.
    pub(super) fn of_group(group: usize, read: Word) -> Self {
        Self { read_sets: vec![read], ..Self::new(group) }
    }

    /// The number of the agent, or of the group.
    #[inline(always)]
    pub(super) fn agent(&self) -> usize {
        self.agent
    }

    pub(super) fn stillness(&mut self) -> &mut Stillness {
        &mut self.stillness
    }

    /// The bits of its location.
    pub(super) fn location_bits(&self) -> Word {
        self.location.all()
    }

    /// The number of its location in the state of this number.
    #[inline(always)]
    pub(super) fn location(&self, number: Word) -> usize {
        self.location.take(number)
    }

    /// Fields are new, and this is that of its location.
    pub(super) fn renew(&mut self, location: &Bits) {
        self.location = location.clone();
        self.read_sets.clear();
    }

    pub(super) fn clear(&mut self) {
        self.entries.fill(EMPTY);
        self.written = 0;
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.read_sets.capacity() * size_of::<Word>() + size_of_val(&*self.entries)) as u64
    }

    /// The bits that the agent reads in the state of this number, as far as is known.
    #[inline(always)]
    pub(super) fn read(&self, number: Word) -> Word {
        self.read_sets.get(self.location(number)).copied().unwrap_or(0)
    }

    /// What these bits are.
    #[inline(always)]
    pub(super) fn key(&self, number: Word) -> Word {
        (number | KNOWN) & self.read(number)
    }

    /// Whether there is an entry for the state of this number.
    pub(super) fn knows(&self, number: Word) -> bool {
        let key = self.key(number);
        self.entry(key).key == key
    }

    /// Whether it is known that the agent has no step there.
    pub(super) fn is_still(&self, number: Word) -> bool {
        self.knows(number) && self.entry(self.key(number)).steps == 0
    }

    #[inline(always)]
    pub(super) fn entry(&self, key: Word) -> &Entry {
        &self.entries[place(key, self.entries.len())]
    }

    /// There is no entry for a state; whether there is to be one.
    pub(super) fn miss(&mut self) -> bool {
        self.misses += 1;
        !self.given_up
    }

    /// How often there was none since that was asked.
    pub(super) fn take_misses(&mut self) -> u64 {
        std::mem::take(&mut self.misses)
    }

    /// Whether its read set in the state of this number is known by now: `read` calls its
    /// argument with the bits of the set.
    pub(super) fn knows_read_set(
        &mut self,
        number: Word,
        read: impl FnOnce(&mut dyn FnMut(Word)) -> bool,
    ) -> bool {
        let location = self.location(number);
        if location >= Self::LOCATIONS_MAX {
            return false;
        }
        self.read_sets.resize(self.read_sets.len().max(location + 1), 0);
        let mut set = KNOWN;
        if self.read_sets[location] == 0 && read(&mut |bits| set |= bits) {
            self.read_sets[location] = set;
        }
        self.read_sets[location] != 0
    }

    pub(super) fn write(&mut self, entry: Entry) {
        if 2 * self.written >= self.entries.len() && self.entries.len() < ENTRIES_MAX {
            self.grow();
        }
        self.entries[place(entry.key, self.entries.len())] = entry;
        self.written += 1;
    }

    fn grow(&mut self) {
        let count = (2 * self.entries.len()).max(ENTRIES_AT_FIRST);
        let mut entries: Box<[Entry]> = vec![EMPTY; count].into();
        for entry in self.entries.iter().filter(|entry| entry.key != EMPTY.key) {
            entries[place(entry.key, count)] = *entry;
        }
        (self.entries, self.written) = (entries, 0);
    }

    /// After so many states: gives up an agent that is better asked.
    pub(super) fn judge(&mut self, states: u64) {
        if self.misses * STATES_PER_MISS > states {
            self.given_up = true;
            self.read_sets.clear();
        }
        self.misses = 0;
    }

    pub(super) fn is_given_up(&self) -> bool {
        self.given_up
    }
}

/// Where the entry of a key is.
#[inline(always)]
fn place(key: Word, entries: usize) -> usize {
    let mixed = (key ^ key >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 40) as usize & (entries - 1)
}
