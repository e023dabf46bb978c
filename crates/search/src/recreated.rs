//! How much work a store does twice that forgets states: how many of the states created
//! had been created before, by hashes or exactly; and whether almost all are, which
//! is how a cache that is too small shows.

use crate::Why;
use crate::memory::{Memory, bytes_of};
use crate::store::States;
use system::Word;

/// Bits of the filter: two million bytes, two bits for each state. Of four million
/// different states one in seven would be taken for a known one.
const FILTER_BITS: u64 = 1 << 24;

/// Of so many states created in a row ...
const WINDOW_MIN: u64 = 50_000;
/// ... so many percent created before are called an explosion.
const EXPLOSION_PERCENT: u64 = 90;

/// Counts what is created again.
#[derive(Debug)]
pub(crate) struct Recreated {
    known: Known,
    count: u64,
    /// Since the window began: states created, and created again.
    created_lately: u64,
    again_lately: u64,
    explodes: bool,
}

#[derive(Debug)]
enum Known {
    Filter(Vec<u64>),
    Exactly(Box<States>),
}

impl Recreated {
    pub(crate) fn new(width: usize, identity: usize, exactly: bool) -> Self {
        let known = match exactly {
            true => Known::Exactly(Box::new(States::new(width, identity))),
            false => Known::Filter(Vec::new()),
        };
        Self { known, count: 0, created_lately: 0, again_lately: 0, explodes: false }
    }

    pub(crate) fn make_room(&mut self, memory: &mut Memory) -> Result<(), Why> {
        match &mut self.known {
            Known::Exactly(states) => states.make_room(1, memory),
            Known::Filter(bits) if bits.is_empty() => {
                memory.resize(bits, (FILTER_BITS / 64) as usize)?;
                bits.resize((FILTER_BITS / 64) as usize, 0);
                Ok(())
            }
            Known::Filter(_) => Ok(()),
        }
    }

    /// A state is created while so many are stored.
    pub(crate) fn create(&mut self, state: &[Word], hash: u64, stored: u64) {
        let again = match &mut self.known {
            Known::Exactly(states) => !states.add(state).1,
            Known::Filter(bits) => {
                let was = [hash, hash.rotate_left(32)].map(|hash| set(bits, hash % FILTER_BITS));
                was[0] && was[1]
            }
        };
        self.count += u64::from(again);
        self.again_lately += u64::from(again);
        self.created_lately += 1;
        if self.created_lately >= WINDOW_MIN.max(2 * stored) {
            self.explodes = self.again_lately * 100 > self.created_lately * EXPLOSION_PERCENT;
            (self.created_lately, self.again_lately) = (0, 0);
        }
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    pub(crate) fn explodes(&self) -> bool {
        self.explodes
    }

    pub(crate) fn bytes(&self) -> u64 {
        match &self.known {
            Known::Exactly(states) => states.bytes(),
            Known::Filter(bits) => bytes_of(bits),
        }
    }
}

/// Sets a bit; whether it was set.
fn set(bits: &mut [u64], bit: u64) -> bool {
    let word = &mut bits[(bit / 64) as usize];
    let was = *word >> (bit % 64) & 1 == 1;
    *word |= 1 << (bit % 64);
    was
}
