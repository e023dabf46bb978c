//! Canonical orders that are wrong on purpose, to judge the judge.

use std::hash::{DefaultHasher, Hash, Hasher};
use system::{Symmetry, Word};

/// What is wrong with an order.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Break {
    /// Some states have a representative that is no permutation of them.
    Confused,
    /// Some bits of a state are permuted, others are not.
    Partial,
    /// It is not said who was moved.
    Unmoved,
}

/// An order, and what is wrong with it.
pub(crate) struct Broken<'s> {
    right: &'s dyn Symmetry,
    how: Break,
    initial: Vec<Word>,
}

impl<'s> Broken<'s> {
    pub(crate) fn new(right: &'s dyn Symmetry, how: Break, initial: Vec<Word>) -> Self {
        Self { right, how, initial }
    }
}

impl Symmetry for Broken<'_> {
    fn way_words(&self) -> usize {
        self.right.way_words()
    }

    fn put_in_order(&self, state: &mut [Word], way: &mut [Word]) -> u64 {
        let before = state.to_vec();
        let permutations = self.right.put_in_order(state, way);
        match self.how {
            Break::Confused => {
                let mut hasher = DefaultHasher::new();
                state.hash(&mut hasher);
                if hasher.finish().is_multiple_of(4) {
                    state.copy_from_slice(&self.initial);
                    self.right.put_in_order(state, way);
                }
            }
            Break::Partial => {
                let low = Word::from(u16::MAX);
                let words = state.iter_mut().zip(&before);
                words.for_each(|(word, before)| *word = (*word & !low) | (before & low));
            }
            Break::Unmoved => {
                let mut ordered = state.to_vec();
                self.right.put_in_order(&mut ordered, way);
            }
        }
        permutations
    }

    fn put_back(&self, representative: &mut [Word], way: &[Word]) {
        self.right.put_back(representative, way);
    }
}
