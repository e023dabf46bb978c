//! The numbers of states by their keys: an open hash table of numbers only, for the keys
//! themselves lie in a list by number.

use crate::Why;
use crate::memory::Memory;
use system::Word;

/// The table grows when more than so many of eight slots are used.
const LOAD_OF_EIGHT: usize = 5;
const SLOTS_MIN: usize = 1 << 10;

/// For each key met the number of its state.
///
/// INVARIANT: the number of slots is a power of two; a slot is 0, or the number of a state
/// plus one. Keys are well mixed: their high bits say where a search for them begins.
#[derive(Debug)]
pub(super) struct Numbers {
    slots: Vec<u32>,
    /// What is at the place of each key of a batch, and the key of that state.
    found: Vec<(u32, Word)>,
}

impl Numbers {
    pub(super) fn new(memory: &mut Memory) -> Result<Self, Why> {
        let mut numbers = Self { slots: Vec::new(), found: Vec::new() };
        numbers.resize(SLOTS_MIN, memory)?;
        Ok(numbers)
    }

    fn resize(&mut self, slots: usize, memory: &mut Memory) -> Result<(), Why> {
        self.slots.clear();
        memory.resize(&mut self.slots, slots)?;
        self.slots.resize(slots, 0);
        Ok(())
    }

    fn place(&self, key: Word) -> usize {
        (key >> (Word::BITS - self.slots.len().trailing_zeros())) as usize
    }

    /// Makes room for so many more keys behind `keys`.
    pub(super) fn make_room(
        &mut self,
        keys: &[Word],
        more: usize,
        memory: &mut Memory,
    ) -> Result<(), Why> {
        let needed = keys.len() + more;
        if needed * 8 <= self.slots.len() * LOAD_OF_EIGHT {
            return Ok(());
        }
        let slots = (needed * 8 / LOAD_OF_EIGHT + 1).next_power_of_two();
        self.resize(slots, memory)?;
        self.fill(keys);
        Ok(())
    }

    /// The keys are others than before.
    pub(super) fn renew(&mut self, keys: &[Word]) {
        self.slots.fill(0);
        self.fill(keys);
    }

    fn fill(&mut self, keys: &[Word]) {
        for (number, key) in (1..).zip(keys) {
            let mut place = self.place(*key);
            while self.slots[place] != 0 {
                place = (place + 1) & (self.slots.len() - 1);
            }
            self.slots[place] = number;
        }
    }

    /// Appends the number of each of `wanted` to `numbers`; keys that are new are appended to
    /// `keys` and get the next numbers. There is room for them.
    ///
    /// Each key costs two reads from anywhere in memory. They are made for the whole batch
    /// before any is needed, so that they overlap.
    pub(super) fn insert_all(
        &mut self,
        wanted: &[Word],
        keys: &mut Vec<Word>,
        numbers: &mut Vec<u32>,
    ) {
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        found.extend(wanted.iter().map(|key| (self.slots[self.place(*key)], 0)));
        for (slot, key) in &mut found {
            *key = if *slot == 0 { 0 } else { keys[*slot as usize - 1] };
        }
        for (key, (slot, other)) in wanted.iter().zip(&found) {
            let known = *slot != 0 && other == key;
            numbers.push(if known { slot - 1 } else { self.insert(*key, keys) });
        }
        self.found = found;
    }

    fn insert(&mut self, key: Word, keys: &mut Vec<Word>) -> u32 {
        let mut place = self.place(key);
        loop {
            match self.slots[place] {
                0 => break,
                slot if keys[slot as usize - 1] == key => return slot - 1,
                _ => place = (place + 1) & (self.slots.len() - 1),
            }
        }
        keys.push(key);
        self.slots[place] = keys.len() as u32;
        keys.len() as u32 - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_one_number_through_growth_and_renewal() {
        let mut memory = Memory::new(None);
        let mut numbers = Numbers::new(&mut memory).unwrap();
        let (mut keys, mut found) = (Vec::new(), Vec::new());
        let key = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let wanted: Vec<Word> = (0..20_000).map(|n| key(n % 7_000)).collect();
        for batch in wanted.chunks(64) {
            numbers.make_room(&keys, batch.len(), &mut memory).unwrap();
            numbers.insert_all(batch, &mut keys, &mut found);
        }
        assert_eq!(keys.len(), 7_000);
        assert!(found.iter().enumerate().all(|(at, number)| *number as usize == at % 7_000));
        keys.iter_mut().for_each(|key| *key = key.rotate_left(7));
        numbers.renew(&keys);
        let mut again = Vec::new();
        numbers.insert_all(&keys.clone(), &mut keys, &mut again);
        assert!((0..7_000).eq(again));
    }
}
