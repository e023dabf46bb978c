//! Systems in which some states are the same but for a permutation.

use crate::Word;

/// A system with a symmetry: permutations of the parts of its states that change nothing that a
/// search for errors or blocked states can see.
///
/// Every state has the same future as its representative, up to a permutation: the same errors and
/// verdicts on blocked states. A representative need not be a state
/// that the system can execute; it only stands for states in a store.
pub trait Symmetry {
    /// How many words say in which way a state was permuted.
    fn way_words(&self) -> usize;

    /// Replaces a state by its representative, and says in which way. How many states it stands for, or
    /// more. States with the same representative are permutations of each other; not all that
    /// are need have the same one.
    fn put_in_order(&self, state: &mut [Word], way: &mut [Word]) -> u64;

    /// Replaces a representative by the state it was made of in this way.
    fn put_back(&self, representative: &mut [Word], way: &[Word]);
}
