//! What a tool finds out about a model, in the same words for argos and SPIN.

pub mod argos;
pub mod spin;

use std::collections::BTreeSet;

/// What one tool says about one model.
#[derive(Default, Debug)]
pub struct Finding {
    /// Stored, matched, transitions.
    pub counts: Option<[u64; 3]>,
    /// How many errors there are, where that is known.
    pub errors: Option<u64>,
    /// Of which kinds, in the words of argos.
    pub kinds: BTreeSet<String>,
    /// Everything was searched.
    pub complete: bool,
    /// The model could be read.
    pub read: bool,
    /// What else there is to say.
    pub remark: Option<String>,
}

impl Finding {
    /// Whether there are errors, where that is known.
    pub fn faulty(&self) -> Option<bool> {
        self.errors.map(|errors| errors > 0)
    }

    /// Nothing came out, for this reason.
    pub fn nothing(read: bool, remark: &str) -> Self {
        Self { read, remark: Some(remark.to_owned()), ..Self::default() }
    }
}
