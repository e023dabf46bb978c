//! Stores that may take a new state for an old one, with the number of states
//! that were probably left out for it. Little memory whatever the states look like;
//! never a proof.
//!
//! After the i-th state is stored, a new one is taken for an old one with some
//! probability p(i). Each state stored therefore stands for 1 / (1 - p) that came,
//! and the expected number of those left out is the sum of p / (1 - p). What lies
//! only behind them is left out as well and cannot be counted.

use super::{Coverage, Key, Seen, Store};
use crate::Why;
use crate::memory::{Memory, bytes_of};
use collapse::{Lookup, Table};
use rapidhash::quality::RapidHasher;
use std::hash::{Hash, Hasher};
use system::Word;

/// Bits a state sets.
const HASHES: u32 = 3;
/// The bit field takes this share of the memory allowed, or so much without limit.
const SHARE: u64 = 2;
const FIELD_BYTES: u64 = 64 << 20;

/// What a lossy store keeps of a state.
pub(crate) trait Trace {
    /// Allocates, once, or makes room.
    fn make_room(&mut self, states: usize, memory: &mut Memory) -> Result<(), Why>;

    /// Stores what is kept of a state with these two hashes.
    fn meet(&mut self, hashes: [u64; 2]) -> Lookup;

    /// The state is expanded.
    fn close(&mut self, hash: u64);

    /// The probability that the next new state is taken for an old one.
    fn confusion(&self) -> f64;

    fn bytes(&self) -> u64;
}

/// Keeps 63 bits of a hash of each state (hash compaction).
#[derive(Debug, Default)]
pub(crate) struct Fingerprints {
    table: Table,
}

impl Trace for Fingerprints {
    fn make_room(&mut self, states: usize, memory: &mut Memory) -> Result<(), Why> {
        self.table.make_room(states, memory).map_err(|_| memory.full())
    }

    fn meet(&mut self, [hash, _]: [u64; 2]) -> Lookup {
        self.table.insert(fingerprint(hash))
    }

    fn close(&mut self, hash: u64) {
        self.table.close(fingerprint(hash));
    }

    fn confusion(&self) -> f64 {
        self.table.len() as f64 / 2f64.powi(63)
    }

    fn bytes(&self) -> u64 {
        self.table.bytes()
    }
}

/// Even and not zero, as the table wants it.
fn fingerprint(hash: u64) -> u64 {
    (hash & !1).max(2)
}

/// Half the limit, whatever the process holds: how many states are left out must not depend on
/// that. Unless it holds so much that nothing would be left beside the field.
fn field_bytes((held_max, bytes_max): (u64, u64)) -> u64 {
    (bytes_max / SHARE).min(held_max / 4 * 3)
}

/// Sets a few bits in a field for each state (bitstate hashing, Holzmann 1988).
#[derive(Debug, Default)]
pub(crate) struct Bits {
    field: Vec<u64>,
    ones: u64,
}

impl Bits {
    fn len(&self) -> u64 {
        64 * self.field.len() as u64
    }
}

impl Trace for Bits {
    fn make_room(&mut self, _: usize, memory: &mut Memory) -> Result<(), Why> {
        if self.field.is_empty() {
            let bytes = memory.limits().map_or(FIELD_BYTES, field_bytes).max(8);
            memory.allow(bytes)?;
            // Zeroed by the operating system, page by page when it is first touched.
            self.field = vec![0; bytes as usize / 8];
            memory.exchange(0, bytes_of(&self.field));
        }
        Ok(())
    }

    fn meet(&mut self, [one, other]: [u64; 2]) -> Lookup {
        let before = self.ones;
        for round in 0..u64::from(HASHES) {
            let hash = one.wrapping_add(round.wrapping_mul(other | 1));
            let bit = ((u128::from(hash) * u128::from(self.len())) >> 64) as u64;
            let word = &mut self.field[(bit / 64) as usize];
            self.ones += u64::from(*word >> (bit % 64) & 1 == 0);
            *word |= 1 << (bit % 64);
        }
        if self.ones > before { Lookup::New } else { Lookup::Done }
    }

    fn close(&mut self, _: u64) {}

    fn confusion(&self) -> f64 {
        (self.ones as f64 / self.len().max(1) as f64).powi(HASHES as i32)
    }

    fn bytes(&self) -> u64 {
        bytes_of(&self.field)
    }
}

/// A store of traces.
#[derive(Debug, Default)]
pub(crate) struct Lossy<T> {
    trace: T,
    width: usize,
    identity: usize,
    omitted: f64,
}

impl<T: Trace + Default> Lossy<T> {
    pub(crate) fn new(width: usize, identity: usize) -> Self {
        Self { trace: T::default(), width, identity, omitted: 0.0 }
    }
}

impl<T: Trace> Store for Lossy<T> {
    type Note = ();

    fn stride(&self) -> usize {
        self.width
    }

    fn make_room(&mut self, states: usize, memory: &mut Memory) -> Result<(), Why> {
        self.trace.make_room(states, memory)
    }

    fn insert(&mut self, form: &[Word], (): ()) -> Seen {
        let hashes = [0, 1].map(|seed| hash(&form[..self.identity], seed));
        let key = Key(hashes[0]);
        let confusion = self.trace.confusion();
        match self.trace.meet(hashes) {
            Lookup::New => {
                self.omitted += confusion / (1.0 - confusion);
                Seen::New(key)
            }
            Lookup::Open => Seen::OnPath(key),
            Lookup::Done => Seen::Done(key),
        }
    }

    fn close(&mut self, key: Key) {
        self.trace.close(key.0);
    }

    fn reopen(&mut self, _: Key) {
        debug_assert!(false, "any revisit ends the branch");
    }

    fn note(&self, _: Key) {}

    fn set_note(&mut self, _: Key, (): ()) {}

    fn bytes(&self) -> u64 {
        self.trace.bytes()
    }

    fn coverage(&self) -> Coverage {
        Coverage::Hashed { omitted: self.omitted }
    }
}

/// Seeded alike in every run: the same search is the same search.
fn hash(words: &[Word], seed: u64) -> u64 {
    let mut hasher = RapidHasher::default_const();
    hasher.write_u64(seed);
    Word::hash_slice(words, &mut hasher);
    hasher.finish()
}
