//! How far a state is from what may go wrong.

use crate::Word;

/// A system that can tell about how far its states are from a violation: an estimate, which
/// decides in which order a best-first search looks at them and nothing else.
pub trait Distances {
    /// The estimate for a state, in steps; at most [`FAR`].
    fn distance(&self, state: &[Word]) -> u32;
}

/// As far as can be told apart: nothing is known to lead from here to a violation.
pub const FAR: u32 = u16::MAX as u32;
