//! Many keys looked up and added at once, with the widest instructions that the processor has.
//!
//! Whether a key is known cannot be foretold. So first all are looked for where they belong and
//! nothing branches on what is found: their lines are waited for together. Most of those left
//! are new.

use crate::line::{LINE, Line, has_key, used};
use crate::prefetch::prefetch;
use crate::table::{OPEN, home};

/// The lines of a table, the first `homes` of which keys belong to.
pub(crate) struct Lines<'a> {
    pub(crate) all: &'a mut [Line],
    pub(crate) homes: usize,
}

impl Lines<'_> {
    /// Adds those of `keys` that are not there, open, and puts their places into `new`. For
    /// one that would lie behind all lines `is_new_behind` says whether it was added.
    #[inline]
    pub(crate) fn insert_all(
        &mut self,
        keys: &[u64],
        new: &mut Vec<u32>,
        is_new_behind: impl FnMut(u64) -> bool,
    ) {
        new.resize(keys.len(), 0);
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2") {
            // SAFETY: the processor has the instructions that `wide` is made of.
            let count = unsafe { wide(self, keys, new, is_new_behind) };
            return new.truncate(count);
        }
        let count = both(self, keys, new, is_new_behind, (has_key, used));
        new.truncate(count);
    }
}

/// Made of instructions on four slots at once, which the compiler finds by itself where all
/// slots are treated alike.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi2")]
fn wide(
    lines: &mut Lines<'_>,
    keys: &[u64],
    new: &mut [u32],
    is_new_behind: impl FnMut(u64) -> bool,
) -> usize {
    both(lines, keys, new, is_new_behind, (has_key_alike, used_alike))
}

/// How many are new.
#[inline(always)]
fn both(
    lines: &mut Lines<'_>,
    keys: &[u64],
    new: &mut [u32],
    mut is_new_behind: impl FnMut(u64) -> bool,
    (has_key, used): (impl Fn(&Line, u64) -> bool, impl Fn(&Line) -> usize),
) -> usize {
    let (unknown, mut count) = (sift(lines, keys, new, &has_key), 0);
    for at in 0..unknown {
        let (place, full) = (new[at] / 2, new[at] % 2);
        let key = keys[place as usize];
        new[count] = place;
        let first = home(key, lines.homes) + full as usize;
        let added = add(lines, (key, first), (&has_key, &used));
        count += usize::from(added.unwrap_or_else(|| is_new_behind(key)));
    }
    count
}

/// Puts the places of those of `keys` that do not lie where they belong into `unknown`, twice
/// the place and one if the line there is full; how many there are. Where a line is full the
/// next one is asked for.
#[inline(always)]
fn sift(
    lines: &Lines<'_>,
    keys: &[u64],
    unknown: &mut [u32],
    has_key: impl Fn(&Line, u64) -> bool,
) -> usize {
    let mut count = 0;
    for (at, key) in keys.iter().enumerate() {
        let line = lines.all.get(home(*key, lines.homes)).unwrap_or(&[0; LINE]);
        let known = has_key(line, *key);
        let goes_on = !known && line[LINE - 1] != 0;
        prefetch(line.as_ptr().wrapping_add(LINE * usize::from(goes_on)));
        unknown[count] = 2 * at as u32 + u32::from(goes_on);
        count += usize::from(!known);
    }
    count
}

/// Whether the key was new and is added; none if every line from the first on is full.
#[inline(always)]
fn add(
    lines: &mut Lines<'_>,
    (key, first): (u64, usize),
    (has_key, used): (impl Fn(&Line, u64) -> bool, impl Fn(&Line) -> usize),
) -> Option<bool> {
    let mut number = first;
    loop {
        let line = lines.all.get_mut(number)?;
        if has_key(line, key) {
            return Some(false);
        }
        let used = used(line);
        if let Some(free) = line.get_mut(used) {
            *free = key | OPEN;
            return Some(true);
        }
        number += 1;
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn has_key_alike(line: &Line, key: u64) -> bool {
    line.iter().fold(false, |has, slot| has | ((slot ^ key) & !OPEN == 0))
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn used_alike(line: &Line) -> usize {
    line.iter().fold(0, |used, slot| used + usize::from(*slot != 0))
}
