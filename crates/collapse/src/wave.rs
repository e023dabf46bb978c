//! Many keys looked up and added at once, with the widest instructions that the processor has.
//!
//! Whether a key is known cannot be foretold. So first all are looked for where they belong and
//! nothing branches on what is found: their lines are waited for together. Most of those left
//! are new.

use crate::prefetch::prefetch;
use crate::slots::{LINE_BYTES, OPEN, Slots, home};

/// The lines of a table.
pub(crate) trait Lines {
    type Slots: Slots;

    /// What a line holds.
    fn line(&self, number: usize) -> Option<LineOf<Self>>;

    /// Whether no slot of a line was empty. The last one does not say it where there are threads:
    /// another may have filled it, and one before it with the key that is looked for, after that
    /// one was read.
    #[inline(always)]
    fn is_full(&self, line: &LineOf<Self>) -> bool {
        Self::Slots::count(line) == line.as_ref().len()
    }

    /// Starts to fetch a line.
    fn fetch(&self, number: usize);

    /// Whether the key was not there and is added, open; none if every line from so many behind
    /// its home on is full.
    fn add(&mut self, key: u64, home: usize, distance: usize) -> Option<bool>;
}

type LineOf<L> = <<L as Lines>::Slots as Slots>::Line;

/// The keys that come, for a table of which the first `homes` lines are those they belong to.
pub(crate) struct Wave<'a> {
    pub(crate) keys: &'a [u64],
    pub(crate) homes: usize,
}

impl Wave<'_> {
    /// Appends the number of each key to `numbers`: how many keys lie `before` its line and in
    /// front of it there. For one that lies in no line `behind` says it.
    #[inline]
    pub(crate) fn number<S: Slots>(
        &self,
        lines: &[S::Cells],
        before: &[u32],
        numbers: &mut Vec<u32>,
        behind: impl Fn(u64) -> u32,
    ) {
        #[cfg(target_arch = "x86_64")]
        if is_wide() {
            // SAFETY: the processor has the instructions that `wide_number` is made of.
            return unsafe { wide_number::<S>(self, lines, before, numbers, behind) };
        }
        self.number_in(&Shared::<S, false>(lines), before, numbers, behind);
    }

    #[inline(always)]
    fn number_in<L: Lines>(
        &self,
        lines: &L,
        before: &[u32],
        numbers: &mut Vec<u32>,
        behind: impl Fn(u64) -> u32,
    ) {
        numbers.reserve(self.keys.len());
        // No closure: one would not be made of the wide instructions.
        for key in self.keys {
            let (home, mut distance) = (home(*key, self.homes), 0);
            let number = loop {
                let line = lines.line(home + distance).filter(|_| distance < L::Slots::REACH);
                let Some(line) = line else { break behind(*key) };
                let (has, at) = place_of::<L::Slots>(&line, L::Slots::slot(*key, distance));
                if has {
                    break before[home + distance] + at;
                }
                if !lines.is_full(&line) {
                    break behind(*key);
                }
                distance += 1;
            };
            numbers.push(number);
        }
    }

    /// Adds those keys that are not there and puts their places into `new`. For one that would
    /// lie behind all lines `is_new_behind` says whether it was added.
    #[inline]
    pub(crate) fn insert<S: Slots>(
        &self,
        lines: &mut [S::Line],
        new: &mut Vec<u32>,
        is_new_behind: impl FnMut(u64) -> bool,
    ) {
        #[cfg(target_arch = "x86_64")]
        if is_wide() {
            return self.insert_into(Owned::<S, true>(lines), new, is_new_behind);
        }
        self.insert_into(Owned::<S, false>(lines), new, is_new_behind);
    }

    /// The same for many threads at once.
    #[inline]
    pub(crate) fn insert_shared<S: Slots>(
        &self,
        lines: &[S::Cells],
        new: &mut Vec<u32>,
        is_new_behind: impl FnMut(u64) -> bool,
    ) {
        #[cfg(target_arch = "x86_64")]
        if is_wide() {
            return self.insert_into(Shared::<S, true>(lines), new, is_new_behind);
        }
        self.insert_into(Shared::<S, false>(lines), new, is_new_behind);
    }

    #[inline(always)]
    fn insert_into<L: Lines + Widened>(
        &self,
        lines: L,
        new: &mut Vec<u32>,
        is_new_behind: impl FnMut(u64) -> bool,
    ) {
        new.resize(self.keys.len(), 0);
        #[cfg(target_arch = "x86_64")]
        if L::WIDE {
            // SAFETY: lines are so only where the processor has the instructions that `wide` is
            // made of.
            let count = unsafe { wide(self, lines, new, is_new_behind) };
            return new.truncate(count);
        }
        let count = self.both(lines, new, is_new_behind);
        new.truncate(count);
    }

    /// How many are new.
    #[inline(always)]
    pub(crate) fn both(
        &self,
        mut lines: impl Lines,
        new: &mut [u32],
        mut is_new_behind: impl FnMut(u64) -> bool,
    ) -> usize {
        let (unknown, mut count) = (self.sift(&lines, new), 0);
        for at in 0..unknown {
            let (place, full) = (new[at] / 2, new[at] % 2);
            let key = self.keys[place as usize];
            new[count] = place;
            let added = lines.add(key, home(key, self.homes), full as usize);
            count += usize::from(added.unwrap_or_else(|| is_new_behind(key)));
        }
        count
    }

    /// Puts the places of those that do not lie where they belong into `unknown`, twice the
    /// place and one if the line there is full; how many there are. Where a line is full the
    /// next one is asked for.
    #[inline(always)]
    fn sift<L: Lines>(&self, lines: &L, unknown: &mut [u32]) -> usize {
        let (mut count, empty) = (0, LineOf::<L>::default());
        for (at, key) in self.keys.iter().enumerate() {
            let number = home(*key, self.homes);
            let line = lines.line(number).unwrap_or(empty);
            let known = has_alike::<L::Slots>(&line, L::Slots::slot(*key, 0));
            let goes_on = !known && lines.is_full(&line);
            lines.fetch(number + usize::from(goes_on));
            unknown[count] = 2 * at as u32 + u32::from(goes_on);
            count += usize::from(!known);
        }
        count
    }
}

/// Whether there are instructions on 32 bytes at once.
#[cfg(target_arch = "x86_64")]
#[inline]
fn is_wide() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2")
}

/// Whether lines are for a processor that has those.
trait Widened {
    const WIDE: bool;
}

/// Made of those, which the compiler finds by itself where all slots are treated alike.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi2")]
fn wide(
    wave: &Wave<'_>,
    lines: impl Lines,
    new: &mut [u32],
    is_new_behind: impl FnMut(u64) -> bool,
) -> usize {
    wave.both(lines, new, is_new_behind)
}

/// As [`wide`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi2")]
fn wide_number<S: Slots>(
    wave: &Wave<'_>,
    lines: &[S::Cells],
    before: &[u32],
    numbers: &mut Vec<u32>,
    behind: impl Fn(u64) -> u32,
) {
    wave.number_in(&Shared::<S, true>(lines), before, numbers, behind);
}

/// Lines for one owner.
struct Owned<'a, S: Slots, const WIDE: bool>(&'a mut [S::Line]);

impl<S: Slots, const WIDE: bool> Widened for Owned<'_, S, WIDE> {
    const WIDE: bool = WIDE;
}

impl<S: Slots, const WIDE: bool> Lines for Owned<'_, S, WIDE> {
    type Slots = S;

    #[inline(always)]
    fn line(&self, number: usize) -> Option<S::Line> {
        self.0.get(number).copied()
    }

    #[inline(always)]
    fn is_full(&self, line: &S::Line) -> bool {
        line.as_ref().last() != S::Line::default().as_ref().last()
    }

    #[inline(always)]
    fn fetch(&self, number: usize) {
        prefetch(self.0.as_ptr().wrapping_add(number));
    }

    #[inline(always)]
    fn add(&mut self, key: u64, home: usize, first: usize) -> Option<bool> {
        let mut distance = first;
        while distance < S::REACH {
            let line = self.0.get_mut(home + distance)?;
            let slot = S::slot(key | OPEN, distance);
            let (has, used) = match WIDE {
                true => (has_alike::<S>(line, slot), S::count(line)),
                false => (S::position(line, slot).is_some(), S::used(line)),
            };
            if has {
                return Some(false);
            }
            if let Some(free) = line.as_mut().get_mut(used) {
                *free = slot;
                return Some(true);
            }
            distance += 1;
        }
        None
    }
}

/// Lines for many threads at once.
struct Shared<'a, S: Slots, const WIDE: bool>(&'a [S::Cells]);

impl<S: Slots, const WIDE: bool> Widened for Shared<'_, S, WIDE> {
    const WIDE: bool = WIDE;
}

impl<S: Slots, const WIDE: bool> Lines for Shared<'_, S, WIDE> {
    type Slots = S;

    #[inline(always)]
    fn line(&self, number: usize) -> Option<S::Line> {
        let line = self.0.get(number)?;
        #[cfg(target_arch = "x86_64")]
        if WIDE {
            // SAFETY: made only where the processor is known to have the instructions.
            return Some(unsafe { read_wide::<S>(line) });
        }
        Some(S::read(line))
    }

    #[inline(always)]
    fn fetch(&self, number: usize) {
        prefetch(self.0.as_ptr().wrapping_add(number));
    }

    #[inline(always)]
    fn add(&mut self, key: u64, home: usize, distance: usize) -> Option<bool> {
        add_shared(self, key, home, distance)
    }
}

impl<S: Slots, const WIDE: bool> Fill for Shared<'_, S, WIDE> {
    #[inline(always)]
    fn fill(&self, number: usize, at: usize, slot: S::Slot) -> bool {
        S::fill(&self.0[number], at, slot)
    }
}

/// Lines that many threads fill at once.
pub(crate) trait Fill: Lines {
    /// Fills an empty slot, if no other thread was quicker.
    fn fill(&self, number: usize, at: usize, slot: <Self::Slots as Slots>::Slot) -> bool;
}

/// As [`Lines::add`]. If another thread fills the slot first, the line is looked at again.
#[inline(always)]
pub(crate) fn add_shared<L: Fill>(lines: &L, key: u64, home: usize, first: usize) -> Option<bool> {
    let mut distance = first;
    while distance < L::Slots::REACH {
        let line = lines.line(home + distance)?;
        let slot = L::Slots::slot(key | OPEN, distance);
        if has_alike::<L::Slots>(&line, slot) {
            return Some(false);
        }
        let used = L::Slots::count(&line);
        if used == line.as_ref().len() {
            distance += 1;
        } else if lines.fill(home + distance, used, slot) {
            return Some(true);
        }
    }
    None
}

/// Reads a line in two instructions. Others may fill slots meanwhile; each is seen as it was or
/// as it is, for no aligned eight bytes are torn.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
fn read_wide<S: Slots>(line: &S::Cells) -> S::Line {
    use std::arch::x86_64::__m256i;
    const { assert!(size_of::<S::Cells>() == LINE_BYTES && size_of::<S::Line>() == LINE_BYTES) };
    let (low, high): (__m256i, __m256i);
    // SAFETY: reads the 64 bytes that `line` borrows, and nothing else happens. The compiler
    // does not see the reads, so they race with no write that it knows of. What was read is as
    // long as a line and plain integers are.
    unsafe {
        std::arch::asm!(
            "vmovdqu {low}, [{line}]",
            "vmovdqu {high}, [{line} + 32]",
            low = out(ymm_reg) low,
            high = out(ymm_reg) high,
            line = in(reg) std::ptr::from_ref(line),
            options(nostack, preserves_flags, readonly),
        );
        std::mem::transmute_copy(&[low, high])
    }
}

#[inline(always)]
fn has_alike<S: Slots>(line: &S::Line, slot: S::Slot) -> bool {
    line.as_ref().iter().fold(false, |has, other| has | S::same(*other, slot))
}

/// Whether a line has a slot, and where. All slots are treated alike: it is there once at most.
#[inline(always)]
fn place_of<S: Slots>(line: &S::Line, slot: S::Slot) -> (bool, u32) {
    let (mut has, mut place) = (0, 0);
    for (at, other) in (0..).zip(line.as_ref()) {
        let same = u32::from(S::same(*other, slot));
        has |= same;
        place |= at * same;
    }
    (has != 0, place)
}
