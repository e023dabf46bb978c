//! How states were discovered: what a trail is made of. Neither states nor steps are kept; both
//! are found by asking the system again, from the initial state on, for the few states of a
//! trail.
//!
//! The [`Way`] to a state is an anchor and the places of the successors that lead on from there,
//! a dozen of them in a word. It travels with the state while that waits, and is forgotten with
//! it. Only where the word is full, or a place does not fit into it, the state becomes an anchor
//! itself and goes into the log: 16 bytes for every thirteenth state of a path, little more
//! than a byte per state. (A log of every state, eight bytes each, was half of the memory that
//! small keys take.)
//!
//! Each worker has a log of its own, and the number of an anchor says whose it is in.

use crate::Why;
use crate::rows::Rows;
use collapse::Account;
use system::Word;

/// More successors than this of one state fit no memory.
const PLACE_BITS: u32 = 28;
/// And no more anchors.
const NUMBER_BITS: u32 = u64::BITS - PLACE_BITS;

/// A place has so many bits of a path.
const DIGIT_BITS: u32 = 5;
/// So that a path of this size or more is full.
const FULL: Word = 1 << (u64::BITS - DIGIT_BITS);
/// Digits are less than this, and not 0.
const DIGITS: u32 = 1 << DIGIT_BITS;

/// How a state was discovered. Anchor 0 stands before the initial state, which is its only
/// successor.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Way {
    pub(crate) anchor: u64,
    /// One more than the places of the successors from there on, the last one lowest.
    pub(crate) path: Word,
}

impl Way {
    /// The places, the first one first.
    pub(crate) fn places(self) -> impl Iterator<Item = usize> {
        let digits = (u64::BITS - self.path.leading_zeros()).div_ceil(DIGIT_BITS);
        let digit = move |at: u32| self.path >> (at * DIGIT_BITS) & Word::from(DIGITS - 1);
        (0..digits).rev().map(move |at| digit(at) as usize - 1)
    }
}

/// The anchors that one worker discovered.
#[derive(Debug)]
pub(crate) struct Log {
    /// Anchor and place of each, and the path between them.
    origins: Rows<2>,
    /// The number before that of its first one.
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

    /// Makes room for so many states, all siblings of theirs included.
    #[inline]
    pub(crate) fn make_room(
        &mut self,
        states: usize,
        account: &mut dyn Account,
    ) -> Result<(), Why> {
        if self.given_up {
            return Ok(());
        }
        let fits = (self.origins.len() + states + 1) >> self.index_bits == 0;
        if !fits || states >> PLACE_BITS != 0 {
            return Err(Why::Memory);
        }
        self.origins.make_room(states, account)
    }

    /// The way to the successor at this place of a state that was discovered in this way. Room
    /// for it was made before.
    #[inline(always)]
    pub(crate) fn extend(&mut self, way: Way, place: u32) -> Way {
        let digit = place + 1;
        if way.path < FULL && digit < DIGITS {
            return Way { anchor: way.anchor, path: way.path << DIGIT_BITS | Word::from(digit) };
        }
        self.anchor(way, place)
    }

    #[cold]
    fn anchor(&mut self, way: Way, place: u32) -> Way {
        if self.given_up {
            return Way::default();
        }
        self.origins.push([way.anchor << PLACE_BITS | u64::from(place), way.path]);
        Way { anchor: self.first + self.origins.len() as u64, path: 0 }
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

/// The way to the state that this anchor is a successor of, and at which place, by the logs of
/// all workers.
pub(crate) fn origin(logs: &[&Log], anchor: u64) -> (Way, usize) {
    let log = logs[(anchor >> logs[0].index_bits) as usize];
    let [origin, path] = log.origins.get((anchor - log.first) as usize - 1);
    let place = origin & ((1 << PLACE_BITS) - 1);
    (Way { anchor: origin >> PLACE_BITS, path }, place as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Memory;

    /// All places from the beginning.
    fn places(logs: &[&Log], mut way: Way) -> Vec<usize> {
        let mut segments: Vec<Vec<usize>> = vec![way.places().collect()];
        while way.anchor > 0 {
            let (before, place) = origin(logs, way.anchor);
            segments.push(before.places().chain([place]).collect());
            way = before;
        }
        segments.into_iter().rev().flatten().collect()
    }

    #[test]
    fn ways_lead_through_the_logs_of_all_workers() {
        let mut memory = Memory::new(None);
        let mut logs: Vec<Log> = (0..3).map(|worker| Log::new(worker, 3)).collect();
        let (mut way, mut expected) = (Way::default(), Vec::new());
        for step in 0..1000u32 {
            let place = if step % 50 == 49 { step << 17 } else { step * step % 31 };
            let log = &mut logs[(step / 7 % 3) as usize];
            log.make_room(1, &mut memory).unwrap();
            way = log.extend(way, place);
            expected.push(place as usize);
            let logs: Vec<&Log> = logs.iter().collect();
            assert_eq!(places(&logs, way), expected);
        }
        let anchors: usize = logs.iter().map(|log| log.origins.len()).sum();
        assert!((77..120).contains(&anchors), "{anchors} anchors");
    }
}
