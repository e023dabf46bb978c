//! The root table: the set of the keys met, each with a flag.
//!
//! A slot is a key and, in its lowest bit, whether the state is open; zero is an
//! empty slot. The place of a key is its value scaled to the number of lines, so
//! slots lie in the order of their values, but for what overflowed into the lines
//! behind. So the table grows in place, by any factor ([`Spread`]): no second table
//! stands beside the first.
//!
//! INVARIANT: a key lies in the first line from its home on that was not full
//! when it came, or in `spill` if the last line was. Nothing is ever taken out.

use crate::line::{LINE, used, with_key};
use crate::prefetch::prefetch;
use crate::region::{PAGE_WORDS, Region, whole};
use crate::share_out::{share_out, sort};
use crate::spread::Spread;
use crate::wave::Wave;
use crate::{Account, Full};
use std::sync::Mutex;
use std::sync::atomic::Ordering;

/// Lines behind the last home, for what overflows there.
const SLACK: usize = 8;
const LINES_PER_PAGE: usize = PAGE_WORDS / LINE;
/// Of a hundred slots so many are used before the table grows.
const LOAD_PERCENT: usize = 85;
/// A table begins with a megabyte, half a large page, and so many states pass before it has
/// to grow for the first time that small models never see it.
const PAGES_AT_FIRST: usize = 256;
/// From so many pages on.
const ROUNDED_MIN: usize = 4096;
/// So many words are recoded at once by one of several threads.
const WORDS_PER_PART: usize = 1 << 12;
pub(crate) const OPEN: u64 = 1;

/// What the table says about a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Met {
    /// It was not there; now it is, open.
    New,
    /// It is there and open.
    Open,
    /// It is there and closed.
    Done,
}

/// A set of numbers that are even, not zero, and well mixed: the high bits say in
/// which line a number belongs.
#[derive(Debug, Default)]
pub struct Table {
    region: Region,
    lines: usize,
    len: usize,
    len_max: usize,
    /// So many threads make the table grow; none is as good as one.
    threads: usize,
    /// What overflowed behind the last line: with a good mix, nothing ever.
    spill: Mutex<Vec<u64>>,
}

impl Table {
    /// An empty table, which so many threads make grow.
    pub fn new(threads: usize) -> Self {
        Self { threads, ..Self::default() }
    }

    /// How many threads make it grow.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// How many keys there are. Keys added by [`Table::insert_all_shared`] count only
    /// once they are booked by [`Table::book`].
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many keys fit before the table has to grow.
    pub fn len_max(&self) -> usize {
        self.len_max
    }

    /// The bytes held.
    pub fn bytes(&self) -> u64 {
        self.region.bytes()
    }

    /// Makes room for so many keys: half as much again if the account allows it,
    /// else a little more.
    #[inline]
    pub fn make_room(&mut self, keys: usize, account: &mut dyn Account) -> Result<(), Full> {
        if self.len + keys <= self.len_max { Ok(()) } else { self.grow_for(keys, account) }
    }

    #[cold]
    fn grow_for(&mut self, keys: usize, account: &mut dyn Account) -> Result<(), Full> {
        let pages = self.region.pages();
        let needed = pages_for(self.len + keys);
        let size = |more: usize| rounded((pages + more).max(needed));
        let first = if pages == 0 { PAGES_AT_FIRST } else { 0 };
        let sizes = [size(pages / 2).max(first), size(pages / 16), size(pages / 64), size(0)];
        self.region.enlarge(&sizes, account)?;
        let homes = std::mem::replace(&mut self.lines, homes(self.region.pages()));
        self.len_max = len_max(self.region.pages());
        self.spread(pages * LINES_PER_PAGE, homes);
        Ok(())
    }

    /// Starts to fetch the line where `key` lies or will lie.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        let at = self.home(key) * LINE;
        prefetch(self.region.cells().as_ptr().wrapping_add(at));
    }

    /// Looks all `keys` up and adds those that are new, open; puts their places into `new`.
    /// Room was made before.
    #[inline]
    pub fn insert_all(&mut self, keys: &[u64], new: &mut Vec<u32>) {
        let Self { region, spill, lines, .. } = self;
        let (wave, lines) = (Wave { keys, homes: *lines }, region.words().as_chunks_mut().0);
        wave.insert(lines, new, |key| claim_spill(spill, key | OPEN) == Met::New);
        self.len += new.len();
    }

    /// The same for many threads at once; the keys added have to be booked.
    #[inline]
    pub fn insert_all_shared(&self, keys: &[u64], new: &mut Vec<u32>) {
        let (wave, lines) = (Wave { keys, homes: self.lines }, self.region.cells().as_chunks().0);
        wave.insert_shared(lines, new, |key| claim_spill(&self.spill, key | OPEN) == Met::New);
    }

    /// Looks `key` up and adds it, open, if it is new. Room was made before.
    #[inline(always)]
    pub fn insert(&mut self, key: u64) -> Met {
        let home = self.home(key);
        let claim = claim(self.region.words(), home, key | OPEN);
        let met = self.met(claim, key | OPEN);
        self.len += usize::from(met == Met::New);
        met
    }

    /// Counts keys that were added by [`Table::insert_all_shared`].
    pub fn book(&mut self, keys: usize) {
        self.len += keys;
    }

    /// Clears the flag of a key that is there.
    pub fn close(&mut self, key: u64) {
        self.mark(key);
    }

    /// Sets the flag of a key that is there.
    pub fn reopen(&mut self, key: u64) {
        self.mark(key | OPEN);
    }

    /// Replaces every key. `change` maps different keys to different keys. In
    /// place: the keys are changed, pushed together, sorted and spread again.
    pub fn recode(&mut self, change: impl Fn(u64) -> u64 + Sync) {
        let recoded = |old: u64| change(old & !OPEN) | old & OPEN;
        self.owned_spill().iter_mut().for_each(|old| *old = recoded(*old));
        let (threads, words) = (self.threads, self.region.words());
        let mut parts: Vec<_> = words.chunks_mut(WORDS_PER_PART).collect();
        share_out(threads, &mut parts, |part| {
            part.iter_mut().filter(|slot| **slot != 0).for_each(|slot| *slot = recoded(*slot));
        });
        let kept = push_together(words);
        sort(threads, &mut words[..kept]);
        let filled = kept.div_ceil(LINE);
        self.spread(filled, filled);
    }

    /// The keys, in no order that means anything: the first ones are a fair sample.
    pub fn keys(&self) -> impl Iterator<Item = u64> {
        let slots = self.region.cells().iter().map(|cell| cell.load(Ordering::Relaxed));
        let spill = self.spill.lock().map(|spill| spill.clone()).unwrap_or_default();
        slots.filter(|slot| *slot != 0).chain(spill).map(|slot| slot & !OPEN)
    }

    #[inline(always)]
    fn home(&self, slot: u64) -> usize {
        home(slot, self.lines)
    }

    #[inline(always)]
    fn met(&self, claim: Claim, slot: u64) -> Met {
        match claim {
            Claim::New => Met::New,
            Claim::Known(_, seen) => met(seen),
            Claim::Behind => claim_spill(&self.spill, slot),
        }
    }

    /// Whether the key is there and open.
    pub fn is_open(&self, key: u64) -> bool {
        for cell in self.region.cells().iter().skip(self.home(key) * LINE) {
            match cell.load(Ordering::Relaxed) {
                0 => return false,
                seen if same(seen, key) => return met(seen) == Met::Open,
                _ => {}
            }
        }
        let spill = self.spill.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        spill.contains(&(key | OPEN))
    }

    /// Overwrites the slot with the same key.
    fn mark(&mut self, slot: u64) {
        let home = self.home(slot);
        match claim(self.region.words(), home, slot) {
            Claim::Known(at, _) => self.region.words()[at] = slot,
            Claim::New => debug_assert!(false, "only a stored state is closed"),
            Claim::Behind => {
                let same = |other: &&mut u64| same(**other, slot);
                self.owned_spill().iter_mut().find(same).into_iter().for_each(|old| *old = slot);
            }
        }
    }

    fn owned_spill(&mut self) -> &mut Vec<u64> {
        self.spill.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Puts the slots of the first `filled` lines where they belong now, which is further
    /// back, as if there had been so many homes.
    fn spread(&mut self, filled: usize, homes_before: usize) {
        let (homes, threads) = (self.lines, self.threads);
        let waiting = std::mem::take(self.owned_spill());
        let lines = self.region.words().as_chunks_mut().0;
        let spread = Spread { lines, homes, homes_before, threads, waiting };
        *self.owned_spill() = spread.run(filled);
    }
}

/// Moves all slots that are used to the front; how many there are.
fn push_together(words: &mut [u64]) -> usize {
    let mut kept = 0;
    for at in 0..words.len() {
        let slot = std::mem::take(&mut words[at]);
        words[kept] = slot;
        kept += usize::from(slot != 0);
    }
    kept
}

#[cold]
fn claim_spill(spill: &Mutex<Vec<u64>>, slot: u64) -> Met {
    let mut spill = spill.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    match spill.iter().find(|other| same(**other, slot)) {
        Some(known) => met(*known),
        None => {
            spill.push(slot);
            Met::New
        }
    }
}

#[inline(always)]
fn same(one: u64, other: u64) -> bool {
    (one ^ other) <= OPEN
}

#[inline(always)]
fn met(slot: u64) -> Met {
    if slot & OPEN == 0 { Met::Done } else { Met::Open }
}

/// The high bits say which line.
#[inline(always)]
pub(crate) fn home(slot: u64, lines: usize) -> usize {
    ((u128::from(slot & !OPEN) * lines as u128) >> 64) as usize
}

/// A small table takes just what it needs of a large page, a large one whole ones.
fn rounded(pages: usize) -> usize {
    if pages < ROUNDED_MIN { pages } else { whole(pages) }
}

fn homes(pages: usize) -> usize {
    pages * LINES_PER_PAGE - SLACK
}

fn len_max(pages: usize) -> usize {
    homes(pages) * LINE * LOAD_PERCENT / 100
}

fn pages_for(keys: usize) -> usize {
    let lines = (keys * 100).div_ceil(LOAD_PERCENT * LINE) + SLACK + 1;
    lines.div_ceil(LINES_PER_PAGE)
}

enum Claim {
    New,
    /// Where the key lies, and its slot.
    Known(usize, u64),
    /// Every slot to the end is taken by others.
    Behind,
}

/// Finds the key of `slot` from line `home` on, or takes the first empty slot. Lines
/// fill from the front.
#[inline(always)]
fn claim(words: &mut [u64], home: usize, slot: u64) -> Claim {
    let (lines, _) = words.as_chunks_mut::<LINE>();
    let mut number = home;
    while let Some(line) = lines.get_mut(number) {
        if let Some(at) = with_key(line, slot) {
            return Claim::Known(number * LINE + at, line[at]);
        }
        let used = used(line);
        if used < LINE {
            line[used] = slot;
            return Claim::New;
        }
        number += 1;
    }
    Claim::Behind
}

#[cfg(test)]
mod tests;
