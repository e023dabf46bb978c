//! Which states are known.
//!
//! In: states as slices of 64-bit words. Out: a key of at most 62 bits per state
//! and the answer whether it is new. Exact: two states have one key iff their
//! words are equal.
//!
//! ```text
//! words   [ w0 | w1 | w2 | w3 ]        one index table per word: value -> 0, 1, 2, ...
//! key     [ i0 | i1 | pair(i2, i3) ]   as many bits per index as its table needs
//! table   64-byte lines of 8 or 16 slots, found by a bijective mix of the key
//! ```
//!
//! - An index table numbers the values of one word. Words repeat far more
//!   often than states, so these tables are small and stay in the cache.
//! - [`Collapse`] lays the numbers side by side into a key. Two words that do not
//!   fit any more are numbered as a pair, and pairs of pairs, so any number of
//!   words fits. A number that needs one more bit borrows one that another has no use
//!   for yet, wherever it lies; if there is none, all keys change: whoever holds some
//!   hands them over ([`Collapse::adapt`]).
//! - [`Table`] is the set of the keys met, and grows in place. A slot has 8 bytes; of keys
//!   of at most 42 bits it holds the quotient only (Cleary 1984), and has 4.
//!
//! Only values that differ from the parent's are looked up, and one line of the
//! table; the line is prefetched long before it is needed. This and the machine
//! code engine are the only crates with `unsafe`.

mod bits;
mod collapse;
mod differ;
mod index;
mod line;
mod mix;
mod pairing;
mod patience;
mod prefetch;
mod region;
mod share_out;
mod slots;
mod spread;
mod table;
mod tree;
mod wave;

pub use bits::Bits;
pub use collapse::{Collapse, Form, Held};
pub use patience::Patience;
pub use prefetch::prefetch;
pub use region::Region;
pub use table::{ABSENT, Lookup, Ranks, Table};
pub use tree::{Cursor, KEY_BITS_MAX, Need};

use std::sync::{Mutex, PoisonError};

/// Who is asked before memory grows. Only what lasts is booked, and a table that
/// moves is booked twice while it does.
pub trait Account: Send {
    /// Books so many bytes, or refuses.
    fn take(&mut self, bytes: u64) -> Result<(), Full>;

    /// So many bytes are free again.
    fn give(&mut self, bytes: u64);

    /// Asked while a table grows or keys change.
    fn patience(&self) -> Patience {
        Patience::default()
    }
}

impl<A: Account + ?Sized> Account for &mut A {
    fn take(&mut self, bytes: u64) -> Result<(), Full> {
        (**self).take(bytes)
    }

    fn give(&mut self, bytes: u64) {
        (**self).give(bytes);
    }

    fn patience(&self) -> Patience {
        (**self).patience()
    }
}

/// An account of several threads, held only while it is used.
impl<A: Account> Account for &Mutex<A> {
    fn take(&mut self, bytes: u64) -> Result<(), Full> {
        self.lock().unwrap_or_else(PoisonError::into_inner).take(bytes)
    }

    fn give(&mut self, bytes: u64) {
        self.lock().unwrap_or_else(PoisonError::into_inner).give(bytes);
    }

    fn patience(&self) -> Patience {
        self.lock().unwrap_or_else(PoisonError::into_inner).patience()
    }
}

/// There is no more room, or no more time: the account refused, or the machine did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full;
