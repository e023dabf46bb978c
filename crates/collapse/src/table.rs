//! The root table: the set of the keys met, each with a flag.
//!
//! A slot is a key, or [what is left of it](crate::slots), and, in its lowest bit, whether
//! the state is open. The place of a key is its value scaled to the number of lines, so
//! slots lie in the order of their values, but for what overflowed into the lines
//! behind. So the table grows in place, by any factor ([`Spread`]): no second table
//! stands beside the first.
//!
//! INVARIANT: a key lies in the first line from its home on that was not full
//! when it came, or in `spill` if there is none within reach. Nothing is ever taken out.
//!
//! To move millions of slots takes seconds. If there is no time for it, slots are left lying
//! anywhere and the table is abandoned: it knows no key any more and takes none.

use crate::patience::Patience;
use crate::prefetch::prefetch;
use crate::region::{PAGE_BYTES, Region, whole};
use crate::share_out::{share_out, sort};
use crate::slots::{LINE_BYTES, OPEN, SMALL_HOMES_MIN, Slots, Small, Wide, home};
use crate::spread::Spread;
use crate::wave::Wave;
use crate::{Account, Full};
use std::sync::{Mutex, PoisonError};

/// Lines behind the last home, for what overflows there.
const SLACK: usize = 8;
const LINES_PER_PAGE: usize = PAGE_BYTES / LINE_BYTES;
/// Of a hundred slots so many are used before the table grows.
const LOAD_PERCENT: usize = 85;
/// With more keys than these it has a megabyte at least, in one step, which
/// a model of a hundred thousand states never outgrows.
pub(crate) const FEW: usize = 1 << 13;
/// Small slots need as much.
const PAGES_OF_MANY: usize = (SMALL_HOMES_MIN + SLACK).div_ceil(LINES_PER_PAGE);
/// From so many pages on.
const ROUNDED_MIN: usize = 4096;
/// A table has no more than 2^32 lines, so that products of their numbers fit a word.
const PAGES_MAX: u64 = (1 << 32) / LINES_PER_PAGE as u64;
/// So many words are recoded at once by one of several threads.
const WORDS_PER_PART: usize = 1 << 12;

/// What the table says about a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lookup {
    /// It was not there; now it is, open.
    New,
    /// It is there and open.
    Open,
    /// It is there and closed.
    Done,
}

/// A set of keys that are even, not zero, and well mixed: the high bits say in which line a
/// key belongs.
#[derive(Debug, Default)]
pub struct Table {
    region: Region,
    /// Its slots are small.
    small: bool,
    lines: usize,
    len: usize,
    len_max: usize,
    /// So many threads make the table grow; none is as good as one.
    threads: usize,
    /// Whether there is time to move all slots; it ran out in the middle.
    patience: Patience,
    abandoned: bool,
    /// What found no place within reach of its home: with a good mix, next to nothing.
    spill: Mutex<Vec<u64>>,
}

/// Does something with whichever slots a table has.
macro_rules! with_slots {
    ($table:expr, $slots:ident => $body:expr) => {
        match $table.small {
            true => {
                type $slots = Small;
                $body
            }
            false => {
                type $slots = Wide;
                $body
            }
        }
    };
}

mod ranks;
pub use ranks::{ABSENT, Ranks};

impl Table {
    /// An empty table, which so many threads make grow.
    pub fn new(threads: usize) -> Self {
        Self { threads, ..Self::default() }
    }

    /// Whether its slots are small.
    #[inline(always)]
    pub(crate) fn is_small(&self) -> bool {
        self.small
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

    /// Whether there was no time to put all slots where they belong: nothing can be looked up.
    pub fn is_abandoned(&self) -> bool {
        self.abandoned
    }

    /// From now on nothing can be looked up.
    fn abandon(&mut self) {
        (self.abandoned, self.len_max) = (true, 0);
    }

    /// Whom to ask while slots move.
    pub(crate) fn ask(&mut self, account: &dyn Account) {
        self.patience = account.patience();
    }

    #[cold]
    fn grow_for(&mut self, keys: usize, account: &mut dyn Account) -> Result<(), Full> {
        self.ask(account);
        if self.abandoned || !self.patience.lasts() {
            return Err(Full);
        }
        let pages = self.region.pages();
        let needed = self.pages_for(self.len + keys);
        let many = if self.len + keys > FEW { PAGES_OF_MANY } else { 0 };
        let size = |more: usize| rounded((pages + more).max(needed));
        let sizes = [size(pages / 2).max(many), size(pages / 16), size(pages / 64), size(0)];
        self.enlarge(&sizes, account)?;
        let homes_before = std::mem::replace(&mut self.lines, homes(self.region.pages()));
        self.len_max = self.len_max_of(self.lines);
        self.spread(pages * LINES_PER_PAGE, homes_before);
        if self.abandoned { Err(Full) } else { Ok(()) }
    }

    fn enlarge(&mut self, sizes: &[usize], account: &mut dyn Account) -> Result<(), Full> {
        let first = sizes.iter().position(|pages| *pages as u64 <= PAGES_MAX).ok_or(Full)?;
        self.region.enlarge(&sizes[first..], account)
    }

    fn line_len(&self) -> usize {
        LINE_BYTES / if self.small { size_of::<u32>() } else { size_of::<u64>() }
    }

    fn len_max_of(&self, homes: usize) -> usize {
        homes * self.line_len() * LOAD_PERCENT / 100
    }

    fn pages_for(&self, keys: usize) -> usize {
        let lines = (keys * 100).div_ceil(LOAD_PERCENT * self.line_len()) + SLACK + 1;
        lines.div_ceil(LINES_PER_PAGE)
    }

    /// Starts to fetch the line where `key` lies or will lie.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.region.shared_lines::<Wide>().as_ptr().wrapping_add(self.home(key)));
    }

    /// Looks all `keys` up and adds those that are new, open; puts their places into `new`.
    /// Room was made before.
    #[inline]
    pub fn insert_all(&mut self, keys: &[u64], new: &mut Vec<u32>) {
        let Self { region, spill, lines, .. } = self;
        let wave = Wave { keys, homes: *lines };
        let is_new_behind = |key| claim_spill(spill, key | OPEN) == Lookup::New;
        with_slots!(self, S => wave.insert::<S>(region.lines::<S>(), new, is_new_behind));
        self.len += new.len();
    }

    /// The same for many threads at once; the keys added have to be booked.
    #[inline]
    pub fn insert_all_shared(&self, keys: &[u64], new: &mut Vec<u32>) {
        let (wave, region) = (Wave { keys, homes: self.lines }, &self.region);
        let is_new_behind = |key| claim_spill(&self.spill, key | OPEN) == Lookup::New;
        with_slots!(self, S => {
            wave.insert_shared::<S>(region.shared_lines::<S>(), new, is_new_behind);
        });
    }

    /// Looks `key` up and adds it, open, if it is new. Room was made before.
    #[inline(always)]
    pub fn insert(&mut self, key: u64) -> Lookup {
        let found = self.claim(key | OPEN);
        self.len += usize::from(found == Lookup::New);
        found
    }

    /// Looks a key with its flag up and adds it if it is new.
    #[inline(always)]
    fn claim(&mut self, key: u64) -> Lookup {
        let home = self.home(key);
        with_slots!(self, S => match claim::<S>(self.region.lines::<S>(), home, key) {
            Claim::New => Lookup::New,
            Claim::Known(slot) => lookup(S::is_open(*slot)),
            Claim::Behind => claim_spill(&self.spill, key),
        })
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

    /// Replaces every key, in wide slots. `change` maps different keys to different keys. In
    /// place: the keys are changed, pushed together, sorted and spread again.
    pub fn recode(&mut self, change: impl Fn(u64) -> u64 + Sync) {
        debug_assert!(!self.small, "small slots become wide");
        let recoded = |old: u64| change(old & !OPEN) | old & OPEN;
        self.owned_spill().iter_mut().for_each(|old| *old = recoded(*old));
        let (threads, words) = (self.threads, self.region.words());
        let (mut parts, patience): (Vec<_>, _) =
            (words.chunks_mut(WORDS_PER_PART).collect(), &self.patience);
        share_out(threads, &mut parts, |part| {
            if !patience.lasts() {
                return;
            }
            part.iter_mut().filter(|slot| **slot != 0).for_each(|slot| *slot = recoded(*slot));
        });
        self.sort();
    }

    /// Sorts the keys, which are anywhere, and puts them where they belong.
    fn sort(&mut self) {
        let (threads, words, patience) = (self.threads, self.region.words(), &self.patience);
        let kept = push_together(words, patience);
        sort(threads, &mut words[..kept], patience);
        if !patience.lasts() {
            return self.abandon();
        }
        let filled = kept.div_ceil(LINE_BYTES / size_of::<u64>());
        self.spread(filled, filled);
    }

    /// Makes room for small slots instead of wide ones, and to put all keys aside.
    pub(crate) fn make_room_to_shrink(&mut self, account: &mut dyn Account) -> Result<(), Full> {
        let aside = (self.len * size_of::<u64>()) as u64;
        account.take(aside)?;
        let pages = self.region.pages().max(PAGES_OF_MANY);
        let enlarged = self.region.enlarge(&[pages], account);
        account.give(aside);
        enlarged
    }

    /// Replaces every key by a small one, and wide slots by small ones, for which room was made.
    pub(crate) fn shrink(&mut self, change: impl Fn(u64) -> u64) {
        debug_assert!(!self.small, "it is done once");
        let keys = self.keys_with_flags();
        self.region.words().fill(0);
        self.owned_spill().clear();
        self.small = true;
        self.lines = homes(self.region.pages());
        self.len_max = self.len_max_of(self.lines);
        for key in keys {
            self.claim(change(key & !OPEN) | key & OPEN);
        }
    }

    /// Makes room for wide slots instead of small ones.
    pub(crate) fn make_room_to_widen(&mut self, account: &mut dyn Account) -> Result<(), Full> {
        let pages = self.region.pages();
        self.enlarge(&[rounded(2 * pages)], account)
    }

    /// Replaces every key, and all small slots by wide ones, for which room was made. From the
    /// last line on, for each becomes two.
    pub(crate) fn widen(&mut self, change: impl Fn(u64) -> u64) {
        debug_assert!(self.small, "it is done once");
        let recoded = |old: u64| change(old & !OPEN) | old & OPEN;
        self.owned_spill().iter_mut().for_each(|old| *old = recoded(*old));
        let (homes_before, count) = (self.lines, self.lines + SLACK);
        for number in (0..count).rev().take_while(|number| self.patience.lasts_at(*number)) {
            let line = std::mem::take(&mut self.region.lines::<Small>()[number]);
            let (slots, stand) =
                (line.iter().filter(|slot| **slot != 0), Small::stand(number, homes_before));
            let mut words = self.region.words()[number * line.len()..].iter_mut();
            for (slot, word) in slots.zip(&mut words) {
                *word = recoded(Small::key(*slot, &stand));
            }
        }
        self.small = false;
        self.lines = homes(self.region.pages());
        self.len_max = self.len_max_of(self.lines);
        self.sort();
    }

    /// Some keys, at most so many: the first ones are as good as any.
    pub(crate) fn sample(&self, most: usize) -> Vec<u64> {
        let mut keys = Vec::new();
        let _: Result<(), ()> = self.visit(|key| {
            keys.push(key & !OPEN);
            if keys.len() < most { Ok(()) } else { Err(()) }
        });
        keys
    }

    fn keys_with_flags(&self) -> Vec<u64> {
        let mut keys = Vec::with_capacity(self.len);
        let _: Result<(), ()> = self.visit(|key| {
            keys.push(key);
            Ok(())
        });
        keys
    }

    /// Calls `look` with every key and its flag until it fails.
    pub(crate) fn visit<E>(&self, mut look: impl FnMut(u64) -> Result<(), E>) -> Result<(), E> {
        let spill = self.spill.lock().unwrap_or_else(PoisonError::into_inner).clone();
        with_slots!(self, S => {
            for (number, line) in self.region.shared_lines::<S>().iter().enumerate() {
                let (line, stand) = (S::read(line), S::stand(number, self.lines));
                for slot in line.as_ref().iter().take_while(|slot| **slot != <S as Slots>::Slot::default()) {
                    look(S::key(*slot, &stand))?;
                }
            }
        });
        spill.into_iter().try_for_each(look)
    }

    #[inline(always)]
    fn home(&self, key: u64) -> usize {
        home(key, self.lines)
    }

    /// Whether the key is there and open.
    pub fn is_open(&self, key: u64) -> bool {
        with_slots!(self, S => self.is_open_in::<S>(key))
    }

    fn is_open_in<S: Slots>(&self, key: u64) -> bool {
        let lines = self.region.shared_lines::<S>().iter().skip(self.home(key));
        for (distance, cells) in lines.enumerate().take(S::REACH) {
            let line = S::read(cells);
            if let Some(at) = S::position(&line, S::slot(key, distance)) {
                return S::is_open(line.as_ref()[at]);
            }
            if S::used(&line) < line.as_ref().len() {
                return false;
            }
        }
        let spill = self.spill.lock().unwrap_or_else(PoisonError::into_inner);
        spill.contains(&(key | OPEN))
    }

    /// Gives a key that is there another flag.
    fn mark(&mut self, key: u64) {
        let home = self.home(key);
        let behind = with_slots!(self, S => match claim::<S>(self.region.lines::<S>(), home, key) {
            Claim::Known(slot) => {
                let flag = S::slot(key, 0);
                *slot = S::flagged(*slot, flag);
                false
            }
            Claim::New => {
                debug_assert!(false, "only a stored state is closed");
                false
            }
            Claim::Behind => true,
        });
        if behind {
            let same = |other: &&mut u64| same(**other, key);
            self.owned_spill().iter_mut().find(same).into_iter().for_each(|old| *old = key);
        }
    }

    fn owned_spill(&mut self) -> &mut Vec<u64> {
        self.spill.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts the slots of the first `filled` lines where they belong now, which is further
    /// back, as if there had been so many homes.
    fn spread(&mut self, filled: usize, homes_before: usize) {
        let (homes, threads) = (self.lines, self.threads);
        let waiting = std::mem::take(self.owned_spill());
        let behind = with_slots!(self, S => {
            let lines = self.region.lines::<S>();
            let patience = &self.patience;
            Spread::<S> { lines, homes, homes_before, threads, patience, waiting }.run(filled)
        });
        match behind {
            Some(behind) => *self.owned_spill() = behind,
            None => self.abandon(),
        }
    }
}

/// Moves all slots that are used to the front, as long as there is time; how many there are.
fn push_together(words: &mut [u64], patience: &Patience) -> usize {
    let mut kept = 0;
    for at in (0..words.len()).take_while(|at| patience.lasts_at(*at)) {
        let slot = std::mem::take(&mut words[at]);
        words[kept] = slot;
        kept += usize::from(slot != 0);
    }
    kept
}

#[cold]
fn claim_spill(spill: &Mutex<Vec<u64>>, slot: u64) -> Lookup {
    let mut spill = spill.lock().unwrap_or_else(PoisonError::into_inner);
    match spill.iter().find(|other| same(**other, slot)) {
        Some(known) => lookup(*known & OPEN != 0),
        None => {
            spill.push(slot);
            Lookup::New
        }
    }
}

#[inline(always)]
fn same(one: u64, other: u64) -> bool {
    (one ^ other) <= OPEN
}

#[inline(always)]
fn lookup(open: bool) -> Lookup {
    if open { Lookup::Open } else { Lookup::Done }
}

/// A small table takes just what it needs of a large page, a large one whole ones.
fn rounded(pages: usize) -> usize {
    if pages < ROUNDED_MIN { pages } else { whole(pages) }
}

fn homes(pages: usize) -> usize {
    pages * LINES_PER_PAGE - SLACK
}

enum Claim<'a, S: Slots> {
    New,
    /// The slot where the key lies.
    Known(&'a mut S::Slot),
    /// Every slot within reach is taken by others.
    Behind,
}

/// Finds the key from line `home` on, or takes the first empty slot. Lines fill from the
/// front.
#[inline(always)]
fn claim<S: Slots>(lines: &mut [S::Line], home: usize, key: u64) -> Claim<'_, S> {
    for (distance, line) in lines[home..].iter_mut().enumerate().take(S::REACH) {
        let slot = S::slot(key, distance);
        if let Some(at) = S::position(line, slot) {
            return Claim::Known(&mut line.as_mut()[at]);
        }
        let used = S::used(line);
        if let Some(free) = line.as_mut().get_mut(used) {
            *free = slot;
            return Claim::New;
        }
    }
    Claim::Behind
}

#[cfg(test)]
pub(crate) mod tests;
