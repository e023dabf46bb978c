//! What a slot of the root table holds of a key: all of it, or its quotient (Cleary, *Compact
//! Hash Tables Using Bidirectional Linear Probing*, 1984).
//!
//! A key below 2^42 needs no eight bytes. The line it belongs to implies its upper bits, and of
//! those below 28, the quotient, are enough to tell apart the keys that belong to one line, once there are 2^14 lines.
//! A slot of four bytes holds them, how many lines behind its own one the key lies, and the
//! flag. So the keys of a table that are still known to be small take half the memory.
//!
//! ```text
//! wide    [ key, 63 bits                                     | open ]   8 to a line
//! small   [ quotient, the lowest 28 bits  | 1 + distance, 3  | open ]  16 to a line
//! ```

use crate::line;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The flag of a slot, and of a key with its flag.
pub(crate) const OPEN: u64 = 1;
/// Set in every small key, so that none is zero. It says nothing about where a key belongs.
pub(crate) const MARK: u64 = 2;
/// A line is what comes from memory in one transfer.
pub(crate) const LINE_BYTES: usize = 64;

/// Where small keys begin in a word.
pub(crate) const SMALL_SHIFT: u32 = u64::BITS - SMALL_BITS;
/// So many bits small keys have.
pub(crate) const SMALL_BITS: u32 = 42;
/// So many of them a slot holds.
const QUOTIENT_BITS: u32 = 28;
/// A table needs so many homes to do with that.
pub(crate) const SMALL_HOMES_MIN: usize = 1 << (SMALL_BITS - QUOTIENT_BITS);
/// Beside them a slot has the distance and the flag.
const QUOTIENT_SHIFT: u32 = u32::BITS - QUOTIENT_BITS;

/// One kind of slots. A slot of zero is empty, and lines fill from the front.
///
/// # Safety
/// SAFETY: an implementation promises that `Line` and `Cells` are 64 bytes of plain integers,
/// and of atomic ones as wide.
pub(crate) unsafe trait Slots {
    type Slot: Copy + Eq + Default;
    type Line: Copy + Default + AsRef<[Self::Slot]> + AsMut<[Self::Slot]> + Send + Sync;
    /// A line for many threads.
    type Cells: Sync;
    /// A key lies less than so many lines behind its home, or behind all lines.
    const REACH: usize;

    /// The slot of a key with its flag, so many lines behind its home.
    fn slot(key: u64, distance: usize) -> Self::Slot;

    /// What line `number` of a table with so many homes says of the keys that lie there.
    fn stand(number: usize, homes: usize) -> Stand;

    /// The key with its flag of a slot that stands there.
    fn key(slot: Self::Slot, stand: &Stand) -> u64;

    /// Whether two slots of one line have the same key.
    fn same(one: Self::Slot, other: Self::Slot) -> bool;

    fn is_open(slot: Self::Slot) -> bool;

    /// The slot with the flag of another one.
    fn flagged(slot: Self::Slot, other: Self::Slot) -> Self::Slot;

    /// Where in the line the key of a slot is.
    fn position(line: &Self::Line, slot: Self::Slot) -> Option<usize>;

    /// How many slots are used.
    fn used(line: &Self::Line) -> usize;

    /// The same with all slots treated alike: quicker where there are wide instructions.
    fn count(line: &Self::Line) -> usize;

    /// What a line holds, each slot as it was or as it is if others fill it meanwhile.
    fn read(cells: &Self::Cells) -> Self::Line;

    /// Fills an empty slot, if no other thread was quicker. A slot carries no other data with
    /// it, so no order has to be kept.
    fn fill(cells: &Self::Cells, at: usize, slot: Self::Slot) -> bool;
}

/// A line, and the first of the small keys that belong to it, which takes divisions to find.
pub(crate) struct Stand {
    number: usize,
    homes: usize,
    first: u64,
}

/// Slots of eight bytes.
pub(crate) struct Wide;
/// Slots of four bytes.
pub(crate) struct Small;

/// What is the same for slots of any width.
macro_rules! of_any_width {
    () => {
        #[inline(always)]
        fn same(one: Self::Slot, other: Self::Slot) -> bool {
            (one ^ other) & !(OPEN as Self::Slot) == 0
        }

        #[inline(always)]
        fn is_open(slot: Self::Slot) -> bool {
            slot & OPEN as Self::Slot != 0
        }

        fn flagged(slot: Self::Slot, other: Self::Slot) -> Self::Slot {
            slot & !(OPEN as Self::Slot) | other & OPEN as Self::Slot
        }

        #[inline(always)]
        fn read(cells: &Self::Cells) -> Self::Line {
            std::array::from_fn(|at| cells[at].load(Ordering::Relaxed))
        }

        #[inline(always)]
        fn fill(cells: &Self::Cells, at: usize, slot: Self::Slot) -> bool {
            cells[at].compare_exchange(0, slot, Ordering::Relaxed, Ordering::Relaxed).is_ok()
        }
    };
}

// SAFETY: eight times eight bytes.
unsafe impl Slots for Wide {
    type Slot = u64;
    type Line = line::Line;
    type Cells = [AtomicU64; line::LINE];
    const REACH: usize = usize::MAX;

    of_any_width!();

    #[inline(always)]
    fn slot(key: u64, _: usize) -> u64 {
        key
    }

    #[inline(always)]
    fn stand(number: usize, homes: usize) -> Stand {
        Stand { number, homes, first: 0 }
    }

    #[inline(always)]
    fn key(slot: u64, _: &Stand) -> u64 {
        slot
    }

    #[inline(always)]
    fn position(line: &line::Line, slot: u64) -> Option<usize> {
        line::with_key(line, slot)
    }

    #[inline(always)]
    fn used(line: &line::Line) -> usize {
        line::used(line)
    }

    #[inline(always)]
    fn count(line: &line::Line) -> usize {
        line.iter().fold(0, |used, slot| used + usize::from(*slot != 0))
    }
}

// SAFETY: sixteen times four bytes.
unsafe impl Slots for Small {
    type Slot = u32;
    type Line = [u32; LINE_BYTES / 4];
    type Cells = [AtomicU32; LINE_BYTES / 4];
    const REACH: usize = 7;

    of_any_width!();

    #[inline(always)]
    fn slot(key: u64, distance: usize) -> u32 {
        let rest = (key >> SMALL_SHIFT) as u32;
        rest << QUOTIENT_SHIFT | (1 + distance as u32) << 1 | (key & OPEN) as u32
    }

    fn stand(number: usize, homes: usize) -> Stand {
        Stand { number, homes, first: first_of(number, homes) }
    }

    /// Of the keys that belong to a line, which follow each other and are at most 2^28, the one
    /// that ends in these bits.
    #[inline(always)]
    fn key(slot: u32, stand: &Stand) -> u64 {
        let first = match (slot >> 1 & 7) as usize - 1 {
            0 => stand.first,
            distance => first_of(stand.number - distance, stand.homes),
        };
        let rest =
            u64::from(slot >> QUOTIENT_SHIFT).wrapping_sub(first) & ((1 << QUOTIENT_BITS) - 1);
        (first + rest) << SMALL_SHIFT | MARK | u64::from(slot) & OPEN
    }

    #[inline(always)]
    fn position(line: &Self::Line, slot: u32) -> Option<usize> {
        line.iter().position(|other| Self::same(*other, slot))
    }

    #[inline(always)]
    fn used(line: &Self::Line) -> usize {
        Self::count(line)
    }

    #[inline(always)]
    fn count(line: &Self::Line) -> usize {
        line.iter().fold(0, |used, slot| used + u32::from(*slot != 0)) as usize
    }
}

/// The first of the small keys that belong to a line: 2^42 line / homes, rounded up. No product is
/// too large, for there are at most 2^32 homes.
fn first_of(line: usize, homes: usize) -> u64 {
    let (line, homes) = (line as u64, homes as u64);
    let (whole, rest) = ((1 << SMALL_BITS) / homes, (1 << SMALL_BITS) % homes);
    line * whole + (line * rest).div_ceil(homes)
}

/// The line where a key belongs: the high bits say which.
#[inline(always)]
pub(crate) fn home(key: u64, homes: usize) -> usize {
    ((u128::from(key & !(MARK | OPEN)) * homes as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At the first and the last key of lines, whatever the number of homes.
    #[test]
    fn a_small_slot_and_its_line_say_the_key() {
        for homes in [SMALL_HOMES_MIN, SMALL_HOMES_MIN + 7, 24_571, 1 << 20, 12_345_677, 1 << 26] {
            for line in (0..homes).step_by(homes / 1000) {
                let (first, next) = (first_of(line, homes), first_of(line + 1, homes));
                for (small, distance) in [(first, 0), (next - 1, 6), ((first + next) / 2, 3)] {
                    let key = small << SMALL_SHIFT | MARK | small & OPEN;
                    assert_eq!(home(key, homes), line);
                    let slot = Small::slot(key, distance);
                    assert_eq!(Small::key(slot, &Small::stand(line + distance, homes)), key);
                    assert_ne!(slot, 0);
                }
            }
        }
    }
}
