//! How far a state is from what is looked for.

use crate::Word;

/// A system that can tell about how far its states are from what is looked for, a violation or a
/// state with some predicate: an estimate, which decides in which order a best-first search looks at them and nothing else.
pub trait Distances {
    /// The estimate for a state, in steps; at most [`FAR`].
    fn distance(&self, state: &[Word]) -> u32;
}

/// As far as can be told apart: nothing is known to lead there.
pub const FAR: u32 = u16::MAX as u32;
