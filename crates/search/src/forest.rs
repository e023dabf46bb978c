//! The forest of states that lead on: of each state that was expanded by an ample set, one
//! successor whose expansion stands for the steps that were left out. It has no cycle, so
//! from every state the path of such successors ends, in a state of which no step is left out
//! ([`crate::ample`] has the proof).
//!
//! Roots are all other states: those of which nothing is left out, and those that wait. To add
//! an edge it is enough to know the root of the successor, so paths are shortened whenever they
//! are followed (Tarjan 1975).

use collapse::{Account, Form};
use system::Word;

/// A place without an edge. No key is this.
const NONE: Word = Word::MAX;
/// Places of the first table.
const PLACES_AT_FIRST: usize = 1 << 10;
/// Room is made for so many edges at once.
const EDGES_MORE: usize = 1 << 7;

/// Of states by their keys, the state that each leads to.
#[derive(Debug, Default)]
pub(crate) struct Forest {
    /// Hashed: a state and another one, as many places as a power of two.
    edges: Vec<[Word; 2]>,
    count: usize,
    given_up: bool,
}

impl Forest {
    /// Lets a root lead on to another state, unless that leads back to it; whether it does
    /// now. Room was made.
    pub(crate) fn lead_on(&mut self, from: Word, to: Word) -> bool {
        if self.given_up || self.root(to) == from {
            return false;
        }
        let place = self.place(from);
        debug_assert_eq!(self.edges[place][0], NONE, "it is a root");
        self.edges[place] = [from, to];
        self.count += 1;
        true
    }

    /// The root of the tree of a state.
    fn root(&mut self, state: Word) -> Word {
        let mut root = state;
        while let Some(next) = self.next(root) {
            root = next;
        }
        let mut at = state;
        while let Some(next) = self.next(at) {
            let place = self.place(at);
            self.edges[place][1] = root;
            at = next;
        }
        root
    }

    fn next(&self, state: Word) -> Option<Word> {
        let [from, to] = *self.edges.get(self.place(state))?;
        (from == state).then_some(to)
    }

    /// Where the edge of a state is, or would be.
    fn place(&self, state: Word) -> usize {
        let last = self.edges.len().wrapping_sub(1);
        let mut place = (state ^ state >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15) as usize >> 20;
        loop {
            place &= last;
            match self.edges.get(place) {
                Some([from, _]) if *from != state && *from != NONE => place += 1,
                _ => return place,
            }
        }
    }

    /// Makes room for some more edges; without memory all edges are given up. That is sound:
    /// from then on states lead on only to those whose expansion begins later, and none of these
    /// leads to a state that was expanded before.
    #[inline]
    pub(crate) fn make_room(&mut self, account: &mut dyn Account) {
        if 4 * (self.count + EDGES_MORE) > 3 * self.edges.len() && !self.given_up {
            self.grow(account);
        }
    }

    #[cold]
    fn grow(&mut self, account: &mut dyn Account) {
        let places = (2 * self.edges.len()).max(PLACES_AT_FIRST);
        if account.take(bytes(places)).is_err() {
            account.give(bytes(self.edges.len()));
            *self = Self { given_up: true, ..Self::default() };
            return;
        }
        let old = std::mem::replace(&mut self.edges, vec![[NONE; 2]; places]);
        let before = bytes(old.len());
        self.put_all(old);
        account.give(before);
    }

    fn put_all(&mut self, edges: Vec<[Word; 2]>) {
        for edge in edges.into_iter().filter(|[from, _]| *from != NONE) {
            let place = self.place(edge[0]);
            self.edges[place] = edge;
        }
    }

    /// Keys change.
    pub(crate) fn change_keys(&mut self, change: &mut dyn FnMut(&mut Word, Form)) {
        let empty = vec![[NONE; 2]; self.edges.len()];
        let mut old = std::mem::replace(&mut self.edges, empty);
        for edge in old.iter_mut().filter(|[from, _]| *from != NONE) {
            edge.iter_mut().for_each(|key| change(key, Form::Key));
        }
        self.put_all(old);
    }
}

/// What is booked for so many places: twice what they take, for while keys change the table is
/// there twice.
fn bytes(places: usize) -> u64 {
    (2 * places * size_of::<[Word; 2]>()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Memory;

    fn edge(forest: &mut Forest, from: Word, to: Word) -> bool {
        forest.make_room(&mut Memory::new(None));
        forest.lead_on(from, to)
    }

    #[test]
    fn a_path_never_leads_back() {
        let mut forest = Forest::default();
        assert!(edge(&mut forest, 1, 2));
        assert!(edge(&mut forest, 2, 3));
        assert!(!edge(&mut forest, 3, 1), "1, 2, 3, 1");
        assert!(!edge(&mut forest, 4, 4), "a step to itself");
        assert!(edge(&mut forest, 3, 4));
        assert!(!edge(&mut forest, 4, 2));
        // Many edges, and other keys.
        for state in 10..5_000 {
            assert!(edge(&mut forest, state, state + 1));
        }
        forest.change_keys(&mut |key, _| *key += 1_000_000);
        assert!(!edge(&mut forest, 1_005_000, 1_000_010));
        assert!(edge(&mut forest, 1_005_000, 1_000_001));
        assert!(!edge(&mut forest, 1_000_004, 1_000_010));
    }

    #[test]
    fn without_memory_nothing_leads_on() {
        let mut forest = Forest::default();
        forest.make_room(&mut Memory::new(Some(100)));
        assert!(!forest.lead_on(1, 2) && !forest.lead_on(2, 1));
    }
}
