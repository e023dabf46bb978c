//! The states that a cache may forget, in the order in which they were left.
//!
//! In the listing of 1987 a state joins the cache when it is left, in the place of the one
//! that goes, so the oldest is the one left longest ago. In the order in which states are
//! met, the first to go would be those above the present one whose subtrees were just
//! finished: with 87 % of the states of a data switch stored, twice the edges instead of
//! none too many.

use crate::Why;
use crate::memory::{Memory, bytes_of};

/// The place of a state that was forgotten.
const NOBODY: u32 = u32::MAX;

/// Slots of closed states; one that is explored again keeps its place.
///
/// INVARIANT: every closed slot has one place; so many places as `holes` have none.
#[derive(Debug, Default)]
pub(crate) struct Ring {
    places: Vec<u32>,
    /// Where the next one to forget is looked for, and the next hole to fill.
    hand: usize,
    fill: usize,
    holes: usize,
}

impl Ring {
    pub(crate) fn make_room(&mut self, states: usize, memory: &mut Memory) -> Result<(), Why> {
        memory.grow(&mut self.places, states)
    }

    pub(crate) fn bytes(&self) -> u64 {
        bytes_of(&self.places)
    }

    /// A state is left.
    pub(crate) fn join(&mut self, slot: u32) {
        if self.holes == 0 {
            self.places.push(slot);
            return;
        }
        while self.places[self.fill] != NOBODY {
            self.fill = (self.fill + 1) % self.places.len();
        }
        self.places[self.fill] = slot;
        self.holes -= 1;
    }

    /// Takes the next closed slot out that is wanted; the next closed one at all if none is.
    pub(crate) fn take(
        &mut self,
        is_closed: impl Fn(u32) -> bool,
        wanted: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        let len = self.places.len();
        let round = || (0..len).map(|offset| (self.hand + offset) % len);
        let slot = |place: &usize| self.places[*place];
        let taken = |place: &usize| slot(place) != NOBODY && is_closed(slot(place));
        let is_wanted = |place: &usize| wanted(slot(place));
        let place = round().filter(taken).find(is_wanted).or_else(|| round().find(taken))?;
        self.hand = (place + 1) % len;
        self.holes += 1;
        Some(std::mem::replace(&mut self.places[place], NOBODY))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_left_longest_ago_goes_first() {
        let mut ring = Ring::default();
        [5, 3, 8].into_iter().for_each(|slot| ring.join(slot));
        assert_eq!(ring.take(|_| true, |_| true), Some(5));
        assert_eq!(ring.take(|_| true, |_| true), Some(3));
        ring.join(1);
        ring.join(2);
        let rest: Vec<Option<u32>> = (0..4).map(|_| ring.take(|_| true, |_| true)).collect();
        assert_eq!(rest, [Some(8), Some(1), Some(2), None]);
    }

    #[test]
    fn who_is_not_wanted_stays_unless_all_are() {
        let mut ring = Ring::default();
        [5, 3, 8].into_iter().for_each(|slot| ring.join(slot));
        assert_eq!(ring.take(|_| true, |slot| slot == 8), Some(8));
        assert_eq!(ring.take(|_| true, |slot| slot == 8), Some(5));
    }

    #[test]
    fn who_is_explored_again_stays() {
        let mut ring = Ring::default();
        [5, 3].into_iter().for_each(|slot| ring.join(slot));
        assert_eq!(ring.take(|slot| slot != 5, |slot| slot == 5), Some(3));
        assert_eq!(ring.take(|slot| slot != 5, |_| true), None);
        assert_eq!(ring.take(|_| true, |_| true), Some(5));
    }
}
