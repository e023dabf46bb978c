//! Who looks on while a search runs. In: [`Progress`], now and then. Out: a
//! [`Stop`] when the search is to end with what it has. Searches themselves know
//! neither clocks nor signals nor terminals.

use crate::CacheFigures;
use collapse::Patience;
use std::sync::Arc;

/// Looks on while a search runs and may end it.
pub trait Watch {
    /// Called about every thousand edges; `Some` ends the search with its result.
    fn tick(&mut self, progress: &Progress) -> Option<Stop>;

    /// What follows is a search of this name, as `breadth first`.
    fn stage(&mut self, _name: &str) {}

    /// The bytes that the whole process holds now; 0 if unknown. Asked when a search begins
    /// and seldom after: what is not the search's counts against its limit as well.
    fn resident_bytes(&self) -> u64 {
        0
    }

    /// What is asked where nobody can tick: while a table of millions of states grows.
    fn hurry(&self) -> Hurry {
        Arc::new(|| None)
    }

    /// The same as yes or no.
    fn patience(&self) -> Patience {
        let hurry = self.hurry();
        Patience::new(move || hurry().is_none())
    }
}

/// Whether a search is to end, asked from any thread; once it is, it stays so.
pub type Hurry = Arc<dyn Fn() -> Option<Stop> + Send + Sync>;

/// Why a [`Watch`] ends a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The time allowed is used up.
    Time,
    /// The user asked for it.
    Interrupted,
}

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// States so far.
    pub states: u64,
    /// Edges that led to nothing new so far.
    pub matched: u64,
    /// The longest path so far, in edges.
    pub depth: u64,
    /// States that wait to be expanded; depth first, the length of the path.
    pub waiting: u64,
    /// Bytes held by store, work list or path, and findings.
    pub bytes: u64,
    /// Distinct errors so far.
    pub errors: u64,
    /// What became of the cache so far, if there is one.
    pub cache: Option<CacheFigures>,
}

/// Never stops a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn tick(&mut self, _: &Progress) -> Option<Stop> {
        None
    }
}
