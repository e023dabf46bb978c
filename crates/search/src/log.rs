//! Every stored state in the order of discovery, as the number of the state it was discovered
//! from and which of its successors it is: what a trail is made of. Neither the state nor the
//! step is kept; both are found by asking the system again, from the initial state on, for the
//! few states of a trail. Eight bytes per state, beside the store and never looked up by the
//! search.
//!
//! Each worker has a log of its own, and the number of a state says whose it is in.

use crate::Why;
use crate::rows::Rows;
use collapse::Account;

/// More successors than this of one state fit no memory.
const PLACE_BITS: u32 = 28;
/// And no more states.
const NUMBER_BITS: u32 = u64::BITS - PLACE_BITS;

/// The states that one worker discovered. Number 0 is the initial one.
#[derive(Debug)]
pub(crate) struct Log {
    origins: Rows<1>,
    /// The number of its first state.
    first: u64,
    /// The bits of a number behind those that say whose log it is in.
    index_bits: u32,
    given_up: bool,
}

impl Log {
    /// That of one of so many workers.
    pub(crate) fn new(worker: usize, workers: usize) -> Self {
        let index_bits = NUMBER_BITS - workers.next_power_of_two().ilog2();
        let first = (worker as u64) << index_bits;
        Self { origins: Rows::default(), first, index_bits, given_up: false }
    }

    #[inline]
    pub(crate) fn make_room(
        &mut self,
        states: usize,
        account: &mut dyn Account,
    ) -> Result<(), Why> {
        if self.given_up {
            return Ok(());
        }
        if self.origins.len() + states > 1 << self.index_bits || states >> PLACE_BITS != 0 {
            return Err(Why::Memory);
        }
        self.origins.make_room(states, account)
    }

    /// Adds a state: which of the successors of `parent` it is; its number. Room for it, and for
    /// all its siblings, was made before.
    #[inline(always)]
    pub(crate) fn push(&mut self, parent: u64, place: u32) -> u64 {
        if self.given_up {
            return 0;
        }
        self.origins.push([parent << PLACE_BITS | u64::from(place)]);
        self.first + self.origins.len() as u64 - 1
    }

    /// Forgets all, for good; whether that frees memory.
    pub(crate) fn give_up(&mut self, account: &mut dyn Account) -> bool {
        let bytes = self.bytes();
        (self.origins, self.given_up) = (Rows::default(), true);
        account.give(bytes);
        bytes > 0
    }

    pub(crate) fn is_given_up(&self) -> bool {
        self.given_up
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.origins.bytes()
    }
}

/// The state that this one was discovered from, and which of its successors it is, by the logs
/// of all workers; the initial one is its own.
pub(crate) fn origin(logs: &[&Log], number: u64) -> (u64, usize) {
    let log = logs[(number >> logs[0].index_bits) as usize];
    let [origin] = log.origins.get((number - log.first) as usize);
    (origin >> PLACE_BITS, (origin & ((1 << PLACE_BITS) - 1)) as usize)
}
