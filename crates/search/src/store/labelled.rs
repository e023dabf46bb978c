//! Only the labelled states of the current path, the loop heads (Holzmann 1987, section 5): a
//! loop can start only where some process is at the target of a jump or the start of a `do`, so every
//! cycle of the state space goes through a labelled state and the search ends.

use super::{Coverage, Key, Path, Seen, Store};
use crate::Why;
use crate::memory::Memory;
use system::{LoopHeads, Word};

/// Passes a state without a label by, as new each time.
const PASSED: Key = Key(u64::MAX);

/// Stores the open states that the system calls labelled.
pub(crate) struct Labelled<'s> {
    heads: &'s dyn LoopHeads,
    path: Path,
}

impl<'s> Labelled<'s> {
    /// For states of so many words, of which so many are their identity.
    pub(crate) fn new(heads: &'s dyn LoopHeads, width: usize, identity: usize) -> Self {
        Self { heads, path: Path::new(width, identity) }
    }
}

impl Store for Labelled<'_> {
    type Note = ();

    fn stride(&self) -> usize {
        self.path.stride()
    }

    fn make_room(&mut self, states: usize, memory: &mut Memory) -> Result<(), Why> {
        self.path.make_room(states, memory)
    }

    fn insert(&mut self, state: &[Word], (): ()) -> Seen {
        if self.heads.is_loop_head(state) { self.path.insert(state, ()) } else { Seen::New(PASSED) }
    }

    fn close(&mut self, key: Key) {
        if key != PASSED {
            self.path.close(key);
        }
    }

    fn reopen(&mut self, key: Key) {
        self.path.reopen(key);
    }

    fn note(&self, _: Key) {}

    fn set_note(&mut self, _: Key, (): ()) {}

    fn bytes(&self) -> u64 {
        self.path.bytes()
    }

    fn coverage(&self) -> Coverage {
        self.path.coverage()
    }
}
