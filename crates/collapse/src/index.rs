//! Numbers the values of one word (or of a pair of numbers) in the order of their
//! arrival, and gives the value of a number back.
//!
//! Many threads may look values up and add new ones at once: a value is written
//! before its number is shown, and only one thread at a time adds. Growth needs the
//! table for itself.

use crate::{Account, Full};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Small tables are half empty and double; large ones save memory.
const SMALL_MAX: usize = 1 << 14;

/// Values with their numbers.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// A number and one, or zero for an empty slot.
    slots: Box<[AtomicU32]>,
    /// The values in the order of their numbers; as long as the capacity.
    values: Box<[AtomicU64]>,
    len: AtomicU32,
    adding: Mutex<()>,
}

impl Index {
    /// How many values there are.
    pub(crate) fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed) as usize
    }

    /// Whether a value fits without growth.
    pub(crate) fn has_room(&self) -> bool {
        self.len() < self.values.len()
    }

    /// The bits that all numbers so far need.
    pub(crate) fn bits(&self) -> u32 {
        usize::BITS - self.len().saturating_sub(1).leading_zeros()
    }

    pub(crate) fn bytes(&self) -> u64 {
        (size_of_val(&*self.slots) + size_of_val(&*self.values)) as u64
    }

    /// The value of a number that was given out.
    #[inline(always)]
    pub(crate) fn value(&self, number: usize) -> u64 {
        self.values[number].load(Ordering::Relaxed)
    }

    /// The number of a value.
    #[inline(always)]
    pub(crate) fn find(&self, value: u64) -> Option<u32> {
        let mut at = home(value, self.slots.len());
        loop {
            let number = self.slots.get(at)?.load(Ordering::Acquire).checked_sub(1)?;
            if self.value(number as usize) == value {
                return Some(number);
            }
            at = if at + 1 == self.slots.len() { 0 } else { at + 1 };
        }
    }

    /// The number of a value, which is given one below `numbers_max` if it is new.
    /// Otherwise says what is missing.
    #[cold]
    pub(crate) fn add(&self, value: u64, numbers_max: u64) -> Result<u32, Missing> {
        let _alone = self.adding.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(number) = self.find(value) {
            return Ok(number);
        }
        let number = self.len();
        if number as u64 >= numbers_max {
            return Err(Missing::Width);
        }
        if number == self.values.len() {
            return Err(Missing::Room);
        }
        self.values[number].store(value, Ordering::Relaxed);
        self.len.store(number as u32 + 1, Ordering::Relaxed);
        self.show(number as u32, value);
        Ok(number as u32)
    }

    /// The number of a value, with room made for it if it is new.
    pub(crate) fn add_growing(
        &mut self,
        value: u64,
        account: &mut dyn Account,
    ) -> Result<u32, Full> {
        loop {
            match self.find(value).map_or_else(|| self.add(value, u64::MAX), Ok) {
                Ok(number) => return Ok(number),
                Err(_) => self.grow(account)?,
            }
        }
    }

    /// Makes room for more values.
    pub(crate) fn grow(&mut self, account: &mut dyn Account) -> Result<(), Full> {
        let old = self.bytes();
        let capacity = larger(self.values.len());
        let slots = slots(capacity);
        if capacity >= u32::MAX as usize {
            return Err(Full);
        }
        account.take((capacity * size_of::<u64>() + slots * size_of::<u32>()) as u64)?;
        let old_values =
            self.values.iter().map(|value| AtomicU64::new(value.load(Ordering::Relaxed)));
        let more = capacity - self.values.len();
        let values = old_values.chain((0..more).map(|_| AtomicU64::new(0))).collect();
        let found: Box<[AtomicU32]> = (0..slots).map(|_| AtomicU32::new(0)).collect();
        let patience = account.patience();
        for number in 0..self.len() {
            if !patience.lasts_at(number + 1) {
                account.give((capacity * size_of::<u64>() + slots * size_of::<u32>()) as u64);
                return Err(Full);
            }
            show(&found, number as u32, self.value(number));
        }
        (self.values, self.slots) = (values, found);
        account.give(old);
        Ok(())
    }

    /// Puts a number where its value is looked up.
    fn show(&self, number: u32, value: u64) {
        show(&self.slots, number, value);
    }
}

/// Puts a number into the first empty slot from the home of its value on.
fn show(slots: &[AtomicU32], number: u32, value: u64) {
    let mut at = home(value, slots.len());
    while slots[at].load(Ordering::Relaxed) != 0 {
        at = if at + 1 == slots.len() { 0 } else { at + 1 };
    }
    slots[at].store(number + 1, Ordering::Release);
}

/// Why a value has no number yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Missing {
    /// The table is as full as it may be.
    Room,
    /// The next number is too large.
    Width,
    /// Nothing of the value: it is time to decide how wide keys are.
    Decision,
}

fn larger(capacity: usize) -> usize {
    match capacity {
        0 => 4,
        small if small < SMALL_MAX => 2 * small,
        large => large + large / 4,
    }
}

fn slots(capacity: usize) -> usize {
    if capacity <= SMALL_MAX { 2 * capacity } else { capacity + capacity / 3 }
}

/// Fibonacci hashing, scaled to any number of slots.
#[inline(always)]
fn home(value: u64, slots: usize) -> usize {
    let mixed = (value ^ value >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((u128::from(mixed) * slots as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::tests::Free;

    #[test]
    fn values_keep_their_numbers_while_the_table_grows() {
        let (mut index, mut free) = (Index::default(), Free::default());
        let value = |number: u64| number.wrapping_mul(0x0123_4567_89ab_cdef);
        for number in 0..100_000u64 {
            assert_eq!(index.find(value(number)), None);
            assert_eq!(index.add_growing(value(number), &mut free), Ok(number as u32));
        }
        for number in 0..100_000u64 {
            assert_eq!(index.find(value(number)), Some(number as u32));
            assert_eq!(index.value(number as usize), value(number));
        }
        assert_eq!(index.bytes(), free.held);
        assert!(index.bytes() < 100_000 * 18, "{}", index.bytes());
    }

    #[test]
    fn the_next_number_may_be_too_large() {
        let (mut index, mut free) = (Index::default(), Free::default());
        assert_eq!(index.add(7, 2), Err(Missing::Room));
        index.grow(&mut free).unwrap();
        assert_eq!((index.add(7, 2), index.bits()), (Ok(0), 0));
        assert_eq!((index.add(8, 2), index.bits()), (Ok(1), 1));
        assert_eq!(index.add(9, 2), Err(Missing::Width));
        assert_eq!(index.add(7, 2), Ok(0));
    }
}
