//! Only the labelled states of the current path (Holzmann 1987, section 5): a loop can start
//! only where some process stands at the target of a jump or the start of a `do`, so every
//! cycle of the state space goes through a labelled state and the search ends.

use super::{Coverage, Key, Path, Seen, Store};
use crate::Why;
use crate::memory::Memory;
use system::{System, Word};

/// Passes a state without a label by, as new each time.
const PASSED: Key = Key(u64::MAX);

/// Stores the open states that the system calls labelled.
#[derive(Debug)]
pub(crate) struct Labelled<'s, S> {
    system: &'s S,
    path: Path,
}

impl<'s, S: System> Labelled<'s, S> {
    pub(crate) fn new(system: &'s S) -> Self {
        Self { system, path: Path::new(system.width(), system.telling()) }
    }
}

impl<S: System> Store for Labelled<'_, S> {
    type Note = ();

    fn stride(&self) -> usize {
        self.path.stride()
    }

    fn make_room(&mut self, states: usize, memory: &mut Memory) -> Result<(), Why> {
        self.path.make_room(states, memory)
    }

    fn insert(&mut self, state: &[Word], (): ()) -> Seen {
        if self.system.labelled(state) { self.path.insert(state, ()) } else { Seen::New(PASSED) }
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
