//! A set of states, each with the number of its arrival: the words in segments
//! and a table of numbers found by the hash of the words. What the stores of this
//! folder are made of.

use super::segments::Segments;
use crate::Why;
use crate::memory::Memory;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rapidhash::quality::RapidHasher;
use std::hash::{Hash, Hasher};
use system::Word;

/// States numbered from 0 in the order of their arrival.
#[derive(Clone, Debug)]
pub(crate) struct States {
    words: Segments<Word>,
    /// How many of the first words tell states apart.
    identity: usize,
    table: HashTable<u64>,
}

impl States {
    pub(crate) fn new(width: usize, identity: usize) -> Self {
        Self { words: Segments::new(width), identity, table: HashTable::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    pub(crate) fn width(&self) -> usize {
        self.words.width()
    }

    pub(crate) fn make_room(&mut self, states: usize, memory: &mut Memory) -> Result<(), Why> {
        self.words.make_room(states, memory)?;
        if self.table.capacity() - self.table.len() >= states {
            return Ok(());
        }
        self.grow_table(states, memory)
    }

    /// The old table stands beside the new one while it is rehashed.
    #[cold]
    fn grow_table(&mut self, states: usize, memory: &mut Memory) -> Result<(), Why> {
        let old = self.table.allocation_size() as u64;
        memory.allow(table_bytes(self.table.len() + states, self.table.num_buckets()))?;
        let (words, identity) = (&self.words, self.identity);
        self.table
            .try_reserve(states, |&number| hash(&words.get(number as usize)[..identity]))
            .map_err(|_| Why::Memory)?;
        memory.exchange(old, self.table.allocation_size() as u64);
        Ok(())
    }

    /// The number of the state, and whether it is new. Room was made before.
    pub(crate) fn add(&mut self, state: &[Word]) -> (u64, bool) {
        let (words, identity) = (&self.words, self.identity);
        let of = |number: u64| &words.get(number as usize)[..identity];
        let entry = self.table.entry(
            hash(&state[..identity]),
            |&number| of(number) == &state[..identity],
            |&number| hash(of(number)),
        );
        match entry {
            Entry::Occupied(known) => (*known.get(), false),
            Entry::Vacant(free) => {
                let number = words.len() as u64;
                free.insert(number);
                self.words.push(state);
                (number, true)
            }
        }
    }

    /// The number of the state, if it is there.
    pub(crate) fn find(&self, state: &[Word]) -> Option<u64> {
        let wanted = &state[..self.identity];
        let same = |&number: &u64| &self.words.get(number as usize)[..self.identity] == wanted;
        self.table.find(hash(wanted), same).copied()
    }

    /// Forgets the state that arrived last.
    pub(crate) fn remove_last(&mut self) {
        let last = self.words.len() - 1;
        let hash = hash(&self.words.get(last)[..self.identity]);
        let found = self.table.find_entry(hash, |&n| n == last as u64);
        debug_assert!(found.is_ok(), "every state with words is in the table");
        if let Ok(entry) = found {
            entry.remove();
        }
        self.words.pop();
    }

    pub(crate) fn get(&self, number: u64) -> &[Word] {
        self.words.get(number as usize)
    }

    /// The words of a state that is there, as another way to it leaves them: those that do not
    /// tell states apart may differ.
    pub(crate) fn replace(&mut self, number: u64, state: &[Word]) {
        let words = self.words.get_mut(number as usize);
        debug_assert_eq!(words[..self.identity], state[..self.identity], "it is the same state");
        words.copy_from_slice(state);
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.words.bytes() + self.table.allocation_size() as u64
    }
}

/// What a table for so many items will take: a power of two of buckets, more
/// than now, at most seven eighths full, a number and a control byte each.
fn table_bytes(items: usize, buckets: usize) -> u64 {
    let wanted = (items * 8 / 7 + 1).next_power_of_two().max(2 * buckets).max(4) as u64;
    wanted * (size_of::<u64>() as u64 + 1) + 16
}

/// Seeded alike in every run: the same search is the same search. The words go in
/// as one slice, without a length: all states are as long.
fn hash(words: &[Word]) -> u64 {
    let mut hasher = RapidHasher::default_const();
    Word::hash_slice(words, &mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_of_a_table_is_never_too_small() {
        let mut memory = Memory::new(None);
        let mut states = States::new(1, 1);
        for i in 0..20_000u64 {
            let (len, buckets) = (states.table.len(), states.table.num_buckets());
            let old = states.table.allocation_size();
            states.make_room(1, &mut memory).unwrap();
            states.add(&[i]);
            let new = states.table.allocation_size() as u64;
            assert!(new == old as u64 || new <= table_bytes(len + 1, buckets));
        }
        assert_eq!(states.bytes(), memory.held());
    }

    #[test]
    fn a_stack_of_states_forgets_the_last() {
        let mut memory = Memory::new(None);
        let mut states = States::new(2, 2);
        for round in 0..5000u64 {
            states.make_room(2, &mut memory).unwrap();
            assert_eq!(states.add(&[1, 2]), (0, round == 0));
            assert_eq!(states.add(&[3, round]), (1, true));
            states.remove_last();
        }
        assert_eq!(states.len(), 1);
        assert!(memory.held() < 20_000, "{}", memory.held());
    }
}
