//! SPIN's texts for PROMELA: its lists of steps, the words and the summary of its verifier.

mod columns;
mod form;
mod steps;
mod summary;
mod words;

pub use form::Form;
pub use steps::{Ended, edge_run};
pub use summary::{CycleCheck, Figures, Summary, Watched, summary};
pub use words::{failure_text, failure_words, is_fatal};

use base::SourceMap;
use program::Program;
use promela::Listing;

/// A program with SPIN's numbers and words for its statements.
#[derive(Clone, Copy, Debug)]
pub struct Listed<'a> {
    /// The program.
    pub program: &'a Program,
    /// SPIN's numbers and words.
    pub listing: &'a Listing,
    /// What spans point into.
    pub sources: &'a SourceMap,
}
