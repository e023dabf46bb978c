//! Many keys looked up and added at once, with the widest instructions that the processor has.
//!
//! Whether a key is known cannot be foretold. So first all are looked for where they belong and
//! nothing branches on what is found: their lines are waited for together. Most of those left
//! are new.

use crate::line::{LINE, Line, has_key, used};
use crate::prefetch::prefetch;
use crate::table::{OPEN, home};
use std::sync::atomic::{AtomicU64, Ordering};

/// The lines of a table.
pub(crate) trait Lines {
    /// What a line holds.
    fn line(&self, number: usize) -> Option<Line>;

    /// Starts to fetch a line.
    fn fetch(&self, number: usize);

    /// Whether the key was not there and is added, open; none if every line from the first
    /// on is full.
    fn add(&mut self, key: u64, first: usize) -> Option<bool>;
}

/// The keys that come, for a table of which the first `homes` lines are those they belong to.
pub(crate) struct Wave<'a> {
    pub(crate) keys: &'a [u64],
    pub(crate) homes: usize,
}

impl Wave<'_> {
    /// Adds those keys that are not there and puts their places into `new`. For one that would
    /// lie behind all lines `is_new_behind` says whether it was added.
    #[inline]
    pub(crate) fn insert(
        &self,
        lines: &mut [Line],
        new: &mut Vec<u32>,
        is_new_behind: impl FnMut(u64) -> bool,
    ) {
        new.resize(self.keys.len(), 0);
        #[cfg(target_arch = "x86_64")]
        if is_wide() {
            // SAFETY: the processor has the instructions that `wide` is made of.
            let count = unsafe { wide(self, Owned::<true>(lines), new, is_new_behind) };
            return new.truncate(count);
        }
        let count = self.both(Owned::<false>(lines), new, is_new_behind);
        new.truncate(count);
    }

    /// The same for many threads at once.
    #[inline]
    pub(crate) fn insert_shared(
        &self,
        lines: &[[AtomicU64; LINE]],
        new: &mut Vec<u32>,
        is_new_behind: impl FnMut(u64) -> bool,
    ) {
        new.resize(self.keys.len(), 0);
        #[cfg(target_arch = "x86_64")]
        if is_wide() {
            // SAFETY: the processor has the instructions that `wide` is made of.
            let count = unsafe { wide(self, Shared::<true>(lines), new, is_new_behind) };
            return new.truncate(count);
        }
        let count = self.both(Shared::<false>(lines), new, is_new_behind);
        new.truncate(count);
    }

    /// How many are new.
    #[inline(always)]
    fn both(
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
            let added = lines.add(key, home(key, self.homes) + full as usize);
            count += usize::from(added.unwrap_or_else(|| is_new_behind(key)));
        }
        count
    }

    /// Puts the places of those that do not lie where they belong into `unknown`, twice the
    /// place and one if the line there is full; how many there are. Where a line is full the
    /// next one is asked for.
    #[inline(always)]
    fn sift(&self, lines: &impl Lines, unknown: &mut [u32]) -> usize {
        let mut count = 0;
        for (at, key) in self.keys.iter().enumerate() {
            let number = home(*key, self.homes);
            let line = lines.line(number).unwrap_or([0; LINE]);
            let known = has_key_alike(&line, *key);
            let goes_on = !known && line[LINE - 1] != 0;
            lines.fetch(number + usize::from(goes_on));
            unknown[count] = 2 * at as u32 + u32::from(goes_on);
            count += usize::from(!known);
        }
        count
    }
}

/// Whether there are instructions on four slots at once.
#[cfg(target_arch = "x86_64")]
#[inline]
fn is_wide() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2")
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

/// Lines for one owner.
struct Owned<'a, const WIDE: bool>(&'a mut [Line]);

impl<const WIDE: bool> Lines for Owned<'_, WIDE> {
    #[inline(always)]
    fn line(&self, number: usize) -> Option<Line> {
        self.0.get(number).copied()
    }

    #[inline(always)]
    fn fetch(&self, number: usize) {
        prefetch(self.0.as_ptr().wrapping_add(number));
    }

    #[inline(always)]
    fn add(&mut self, key: u64, first: usize) -> Option<bool> {
        let mut number = first;
        loop {
            let line = self.0.get_mut(number)?;
            let (has, used) = match WIDE {
                true => (has_key_alike(line, key), used_alike(line)),
                false => (has_key(line, key), used(line)),
            };
            if has {
                return Some(false);
            }
            if let Some(free) = line.get_mut(used) {
                *free = key | OPEN;
                return Some(true);
            }
            number += 1;
        }
    }
}

/// Lines for many threads at once.
struct Shared<'a, const WIDE: bool>(&'a [[AtomicU64; LINE]]);

impl<const WIDE: bool> Lines for Shared<'_, WIDE> {
    #[inline(always)]
    fn line(&self, number: usize) -> Option<Line> {
        let line = self.0.get(number)?;
        #[cfg(target_arch = "x86_64")]
        if WIDE {
            // SAFETY: made only where the processor is known to have the instructions.
            return Some(unsafe { read_wide(line) });
        }
        Some(std::array::from_fn(|at| line[at].load(Ordering::Relaxed)))
    }

    #[inline(always)]
    fn fetch(&self, number: usize) {
        prefetch(self.0.as_ptr().wrapping_add(number));
    }

    #[inline(always)]
    fn add(&mut self, key: u64, first: usize) -> Option<bool> {
        add_shared(self, key, first)
    }
}

impl<const WIDE: bool> Fill for Shared<'_, WIDE> {
    #[inline(always)]
    fn fill(&self, number: usize, at: usize, slot: u64) -> bool {
        let free = &self.0[number][at];
        free.compare_exchange(0, slot, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}

/// Lines that many threads fill at once.
pub(crate) trait Fill: Lines {
    /// Fills an empty slot, if no other thread was quicker.
    fn fill(&self, number: usize, at: usize, slot: u64) -> bool;
}

/// As [`Lines::add`]. A key carries no other data with it, so no order has to be kept. If
/// another thread fills the slot first, the line is looked at again.
#[inline(always)]
pub(crate) fn add_shared(lines: &impl Fill, key: u64, first: usize) -> Option<bool> {
    let mut number = first;
    loop {
        let line = lines.line(number)?;
        if has_key_alike(&line, key) {
            return Some(false);
        }
        match used_alike(&line) {
            LINE => number += 1,
            used if lines.fill(number, used, key | OPEN) => return Some(true),
            _ => {}
        }
    }
}

/// Reads eight slots in two instructions. Others may fill slots meanwhile; each is seen as it
/// was or as it is, for no aligned eight bytes are torn.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
fn read_wide(line: &[AtomicU64; LINE]) -> Line {
    use std::arch::x86_64::__m256i;
    let (low, high): (__m256i, __m256i);
    // SAFETY: reads the 64 bytes that `line` borrows, and nothing else happens. The compiler
    // does not see the reads, so they race with no write that it knows of.
    unsafe {
        std::arch::asm!(
            "vmovdqu {low}, [{line}]",
            "vmovdqu {high}, [{line} + 32]",
            low = out(ymm_reg) low,
            high = out(ymm_reg) high,
            line = in(reg) line.as_ptr(),
            options(nostack, preserves_flags, readonly),
        );
        std::mem::transmute([low, high])
    }
}

#[inline(always)]
fn has_key_alike(line: &Line, key: u64) -> bool {
    line.iter().fold(false, |has, slot| has | ((slot ^ key) & !OPEN == 0))
}

#[inline(always)]
fn used_alike(line: &Line) -> usize {
    line.iter().fold(0, |used, slot| used + usize::from(*slot != 0))
}
