//! Every stored state in the order of discovery, as the number of the state it was discovered
//! from and which of its successors it is: what a trail is made of. Neither the state nor the
//! step is kept; both are found by asking the system again, from the initial state on, for the
//! few states of a trail. Eight bytes per state, beside the store and never looked up by the
//! search.

use crate::Why;
use crate::memory::Memory;
use crate::rows::Rows;

/// More successors than this of one state fit no memory.
const PLACE_BITS: u32 = 28;
/// And no more states.
const NUMBERS_MAX: usize = 1 << (u64::BITS - PLACE_BITS);

/// States numbered from 0, the initial one.
#[derive(Debug, Default)]
pub(crate) struct Log {
    origins: Rows<1>,
}

impl Log {
    #[inline]
    pub(crate) fn len(&self) -> u64 {
        self.origins.len() as u64
    }

    #[inline]
    pub(crate) fn make_room(&mut self, states: usize, memory: &mut Memory) -> Result<(), Why> {
        if self.origins.len() + states > NUMBERS_MAX || states >> PLACE_BITS != 0 {
            return Err(Why::Memory);
        }
        self.origins.make_room(states, memory)
    }

    /// Adds a state: which of the successors of `parent` it is. Room for it, and for all its
    /// siblings, was made before.
    #[inline]
    pub(crate) fn push(&mut self, parent: u64, place: u32) {
        self.origins.push([parent << PLACE_BITS | u64::from(place)]);
    }

    /// The state this one was discovered from, and which of its successors it is; the
    /// initial one is its own.
    pub(crate) fn origin(&self, number: u64) -> (u64, usize) {
        let [origin] = self.origins.get(number as usize);
        (origin >> PLACE_BITS, (origin & ((1 << PLACE_BITS) - 1)) as usize)
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.origins.bytes()
    }
}
