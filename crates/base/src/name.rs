//! Names as the user wrote them, cheap to copy and to compare.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A name out of a model: process, channel, message, variable, label.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(Arc<str>);

impl Name {
    /// The name spelled `text`.
    pub fn new(text: &str) -> Self {
        Self(Arc::from(text))
    }

    /// The spelling.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for Name {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&*self.0, f)
    }
}

/// The candidate that `wanted` was probably meant to be: within a third of its
/// length in edits, the first of the nearest ones. For "did you mean" hints.
/// Swapping two neighbours is one edit, as in `recevier`.
pub fn nearest<'a, I>(wanted: &str, candidates: I) -> Option<&'a Name>
where
    I: IntoIterator<Item = &'a Name>,
{
    let most = (wanted.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|name| (strsim::osa_distance(wanted, name.as_str()), name))
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}
