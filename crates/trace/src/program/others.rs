//! How much work it may be to find out what could have been done instead: an atomic sequence can
//! have more paths than anybody can list.

use program::reference::Budget;
use std::cell::Cell;

/// So many edges are executed for one state, at most.
const EDGES_MAX: u64 = 20_000;
/// And their steps have so many bytes.
const BYTES_MAX: usize = 64 << 20;

/// A number of edges that may be executed.
pub(super) struct Edges {
    all: u64,
    left: Cell<u64>,
    is_over: Cell<bool>,
}

impl Edges {
    /// So many for several states, and no more of them for this one than is reasonable.
    pub(super) fn new(edges: u64) -> Self {
        let all = edges.min(EDGES_MAX);
        Self { all, left: Cell::new(all), is_over: Cell::new(false) }
    }

    /// How many were executed; each state counts as one more.
    pub(super) fn used(&self) -> u64 {
        (self.all - self.left.get() + 1).min(self.all)
    }

    /// Whether there were more to execute.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.get()
    }
}

impl Budget for Edges {
    fn lasts(&self, bytes: usize) -> bool {
        let left = self.left.get();
        if left == 0 || bytes > BYTES_MAX {
            self.is_over.set(true);
        } else {
            self.left.set(left - 1);
        }
        !self.is_over.get()
    }
}
