//! Numbers that look random and are a function of what goes in: a state asked again
//! must show the same steps again, or no trail could be followed.

use system::{Dice, Word};

/// Mixes `next` into `seed`.
pub(crate) fn mix(seed: u64, next: u64) -> u64 {
    Dice::new(seed ^ next).roll()
}

/// A number for a state.
pub(crate) fn of_state(seed: u64, state: &[Word]) -> u64 {
    state.iter().fold(seed, |hash, word| mix(hash, *word))
}
