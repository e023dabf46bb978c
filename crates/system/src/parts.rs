//! What a restriction of a search may know of the inside of a state.

use crate::Word;

/// A part of a model, by the names the user gave.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Part {
    /// Where the processes of this name stand, and what they know.
    Process(String),
    /// What the channels of this name hold.
    Channel(String),
    /// What the variables of this name hold.
    Variable {
        /// Only those of processes of this name.
        process: Option<String>,
        /// The name.
        name: String,
    },
}

/// Writes over a part of a state, so that states which differ only there become equal.
pub type Blank<'a> = Box<dyn Fn(&mut [Word]) + 'a>;

/// The parts of the states of a system.
pub trait Parts {
    /// Whether every transition that `agent` may ever take at its control location is local:
    /// no other process can observe, disable or enable it, and it cannot fail. Every cycle
    /// of such transitions has a state where this is denied.
    fn is_local(&self, state: &[Word], agent: u32) -> bool;

    /// Whether some channel holds more than `most` messages, and more than at the start.
    fn is_crowded(&self, state: &[Word], most: usize) -> bool;

    /// How to write over a part; `None` if states have no such part.
    fn blank(&self, part: &Part) -> Option<Blank<'_>>;
}
