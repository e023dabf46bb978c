//! Every stored state in the order of discovery, with the number of the state it
//! was discovered from: what a trail is made of. The steps are not kept; they are
//! found by asking the system again for the few states of a trail. Fifteen bytes
//! per state, beside the store and never looked up at random by the search.

use crate::Why;
use crate::memory::Memory;
use crate::store::{Key, Segments};
use system::Word;

/// A number fits into five bytes: more states than that fit no memory.
const NUMBERS_MAX: usize = 1 << 40;
/// A tag fits into two bytes, or it is none.
const TAG_BITS: u32 = 16;

/// States numbered from 0, the initial one.
#[derive(Debug)]
pub(crate) struct Log {
    keys: Segments<Word>,
    /// The number of the parent and the tag of the step from there, in its low bits.
    origins: Segments<[u8; 7]>,
}

impl Log {
    pub(crate) fn new() -> Self {
        Self { keys: Segments::new(1), origins: Segments::new(1) }
    }

    pub(crate) fn len(&self) -> u64 {
        self.keys.len() as u64
    }

    #[inline]
    pub(crate) fn make_room(&mut self, states: usize, memory: &mut Memory) -> Result<(), Why> {
        if self.keys.len() + states > NUMBERS_MAX {
            return Err(Why::Memory);
        }
        self.keys.make_room(states, memory)?;
        self.origins.make_room(states, memory)
    }

    /// Adds a state; room for it was made before.
    #[inline]
    pub(crate) fn push(&mut self, key: Key, parent: u64, tag: u32) {
        let tag = u64::from(u16::try_from(tag).unwrap_or(0));
        let [a, b, c, d, e, f, g, _] = (parent << TAG_BITS | tag).to_le_bytes();
        self.keys.push_one(key.0);
        self.origins.push_one([a, b, c, d, e, f, g]);
    }

    #[inline]
    pub(crate) fn key(&self, number: u64) -> Key {
        Key(self.keys.get(number as usize)[0])
    }

    /// The state this one was discovered from; the initial one is its own.
    pub(crate) fn parent(&self, number: u64) -> u64 {
        self.origin(number) >> TAG_BITS
    }

    /// The tag of the step by which it was discovered.
    #[inline]
    pub(crate) fn tag(&self, number: u64) -> u32 {
        u32::from(self.origin(number) as u16)
    }

    #[inline]
    fn origin(&self, number: u64) -> u64 {
        let [a, b, c, d, e, f, g] = self.origins.get(number as usize)[0];
        u64::from_le_bytes([a, b, c, d, e, f, g, 0])
    }

    /// Every key, to change.
    pub(crate) fn keys_mut(&mut self) -> impl Iterator<Item = &mut Word> {
        self.keys.values_mut()
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.keys.bytes() + self.origins.bytes()
    }
}
