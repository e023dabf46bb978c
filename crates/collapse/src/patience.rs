//! Whether there is time left. In: whatever its owner asks, a clock or a signal. Out: yes or no,
//! from any thread. To make a large table grow, or all its keys change, takes seconds; whoever
//! does it asks every so often.

use std::fmt;
use std::sync::Arc;

/// Whether to go on. INVARIANT: who is out of patience stays so.
#[derive(Clone, Default)]
pub struct Patience(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

/// So many keys or slots are changed between two questions: well below a millisecond.
pub(crate) const KEYS_PER_QUESTION: usize = 1 << 14;

impl Patience {
    /// As long as `lasts` says so.
    pub fn new(lasts: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(lasts)))
    }

    /// Whether there is time left.
    #[inline]
    pub fn lasts(&self) -> bool {
        self.0.as_ref().is_none_or(|lasts| lasts())
    }

    /// The same, asked for every so many of what is counted by `at`.
    #[inline(always)]
    pub(crate) fn lasts_at(&self, at: usize) -> bool {
        !at.is_multiple_of(KEYS_PER_QUESTION) || self.lasts()
    }
}

impl fmt::Debug for Patience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Patience(limited)" } else { "Patience(endless)" })
    }
}
