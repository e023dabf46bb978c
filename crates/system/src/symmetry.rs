//! Systems in which some states are the same but for a permutation.

use crate::Word;

/// A system with a symmetry: permutations of the parts of its states that change nothing that a
/// search for errors or blocked states can see.
///
/// Every state has the same future as its representative, up to a permutation: the same errors and
/// verdicts on blocked states. A representative need not be a state
/// that the system can execute; it only stands for states in a store.
pub trait Symmetry {
    /// Replaces a state by its representative. States with the same representative are
    /// permutations of each other; not all that are need have the same one.
    fn put_in_order(&self, state: &mut [Word]);
}
