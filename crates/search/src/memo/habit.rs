//! What one agent does, by what it sees.

use super::found::Change;
use collapse::Bits;
use std::ops::Range;
use system::Word;

/// A table has at first so many entries.
const ENTRIES_AT_FIRST: usize = 1 << 6;
/// And at most so many: one that is far from the processor is no quicker than the agent.
const ENTRIES_MAX: usize = 1 << 15;
/// Homes with larger numbers are not remembered.
const HOMES_MAX: usize = 1 << 16;
/// Set in every view, and so in whatever is seen: what an agent sees whose view is not known,
/// no bits at all, is in no table. Numbers do not have it.
const KNOWN: Word = 1 << 63;
/// Of so many states one may be new to an agent, or remembering does not pay.
const STATES_PER_MISS: u64 = 2;

/// What one agent does.
#[derive(Debug)]
pub(super) struct Habit {
    home: Bits,
    /// The bits it looks at, by the number of its home.
    views: Vec<Word>,
    /// By what it sees, as many as a power of two. Where two share a place the later one stays.
    entries: Box<[Entry]>,
    /// How many were written since the table grew.
    written: usize,
    /// States that were new to it since it was judged.
    misses: u64,
    given_up: bool,
}

/// What the agent does in states that it sees as `seen`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) seen: Word,
    /// Its first step.
    bits: Word,
    note: u16,
    steps: u16,
    /// Where those behind the first are.
    more: u32,
}

/// Nothing is seen as this.
const EMPTY: Entry = Entry { seen: 1, bits: 0, note: 0, steps: 0, more: 0 };

impl Entry {
    /// Of the steps from `from` on: the first one of them is taken out.
    pub(super) fn new(seen: Word, from: usize, more: &mut Vec<Change>) -> Self {
        let steps = (more.len() - from) as u16;
        let Change { bits, note } = if steps > 0 { more.remove(from) } else { Change::default() };
        Self { seen, bits, note, steps, more: from as u32 }
    }

    #[inline(always)]
    pub(super) fn first(&self) -> Change {
        Change { bits: self.bits, note: self.note }
    }

    #[inline(always)]
    pub(super) fn steps(&self) -> usize {
        usize::from(self.steps)
    }

    /// Where the steps behind the first one are, of which there is one.
    #[inline(always)]
    pub(super) fn more(&self) -> Range<usize> {
        let from = self.more as usize;
        from..from + self.steps() - 1
    }
}

impl Default for Habit {
    fn default() -> Self {
        Self {
            home: Bits::default(),
            views: Vec::new(),
            entries: Box::new([EMPTY]),
            written: 0,
            misses: 0,
            given_up: false,
        }
    }
}

impl Habit {
    /// Fields are new, and this is that of its home.
    pub(super) fn renew(&mut self, home: &Bits) {
        self.home = home.clone();
        self.views.clear();
    }

    pub(super) fn clear(&mut self) {
        self.entries.fill(EMPTY);
        self.written = 0;
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.views.capacity() * size_of::<Word>() + size_of_val(&*self.entries)) as u64
    }

    /// What the agent sees of the state of this number.
    #[inline(always)]
    pub(super) fn sees(&self, number: Word) -> Word {
        let view = self.views.get(self.home.take(number)).copied().unwrap_or(0);
        (number | KNOWN) & view
    }

    #[inline(always)]
    pub(super) fn entry(&self, seen: Word) -> &Entry {
        &self.entries[place(seen, self.entries.len())]
    }

    /// A state is new to the agent; whether it is to be remembered.
    pub(super) fn miss(&mut self) -> bool {
        self.misses += 1;
        !self.given_up
    }

    /// Whether its view of the state of this number is known by now: `look` calls its argument
    /// with the bits of the view.
    pub(super) fn looks(
        &mut self,
        number: Word,
        look: impl FnOnce(&mut dyn FnMut(Word)) -> bool,
    ) -> bool {
        let home = self.home.take(number);
        if home >= HOMES_MAX {
            return false;
        }
        self.views.resize(self.views.len().max(home + 1), 0);
        let mut view = KNOWN;
        if self.views[home] == 0 && look(&mut |bits| view |= bits) {
            self.views[home] = view;
        }
        self.views[home] != 0
    }

    pub(super) fn write(&mut self, entry: Entry) {
        if 2 * self.written >= self.entries.len() && self.entries.len() < ENTRIES_MAX {
            self.grow();
        }
        self.entries[place(entry.seen, self.entries.len())] = entry;
        self.written += 1;
    }

    fn grow(&mut self) {
        let count = (2 * self.entries.len()).max(ENTRIES_AT_FIRST);
        let mut entries: Box<[Entry]> = vec![EMPTY; count].into();
        for entry in self.entries.iter().filter(|entry| entry.seen != EMPTY.seen) {
            entries[place(entry.seen, count)] = *entry;
        }
        (self.entries, self.written) = (entries, 0);
    }

    /// After so many states: gives up an agent that is better asked.
    pub(super) fn judge(&mut self, states: u64) {
        if self.misses * STATES_PER_MISS > states {
            self.given_up = true;
            self.views.clear();
        }
        self.misses = 0;
    }

    pub(super) fn is_given_up(&self) -> bool {
        self.given_up
    }
}

/// Where what is seen has its entry.
#[inline(always)]
fn place(seen: Word, entries: usize) -> usize {
    let mixed = (seen ^ seen >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 40) as usize & (entries - 1)
}
