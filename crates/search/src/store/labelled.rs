//! Only the labelled states, the loop heads (Holzmann 1987, section 5), of those that another
//! store would keep: of the current path, or of a cache. A loop can start only where some process
//! is at the target of a jump or the start of a `do`, so every cycle of the state space goes
//! through a labelled state, which is stored while it is on the path, and the search ends.

use super::{Cache, CacheFigures, Coverage, Key, Path, Seen, Store};
use crate::Why;
use crate::memory::Memory;
use system::{LoopHeads, Word};

/// Passes a state without a label by, as new each time.
const PASSED: Key = Key(u64::MAX);

/// Stores those open states, and with a cache closed ones, that the system calls labelled.
pub(crate) struct Labelled<'s, T> {
    heads: &'s dyn LoopHeads,
    inside: T,
}

impl<'s, T: Passed> Labelled<'s, T> {
    pub(crate) fn new(heads: &'s dyn LoopHeads, inside: T) -> Self {
        Self { heads, inside }
    }
}

/// A store of labelled states only.
pub(crate) trait Passed: Store {
    /// A state without a label is created.
    fn pass(&mut self, _: &[Word]) {}
}

impl Passed for Path {}

impl Passed for Cache {
    fn pass(&mut self, form: &[Word]) {
        Cache::pass(self, form);
    }
}

impl<T: Passed> Store for Labelled<'_, T> {
    type Note = T::Note;

    fn stride(&self) -> usize {
        self.inside.stride()
    }

    fn make_room(&mut self, states: usize, memory: &mut Memory) -> Result<(), Why> {
        self.inside.make_room(states, memory)
    }

    fn admit(&self, state: &[Word]) -> Result<(), Why> {
        if self.heads.is_loop_head(state) { self.inside.admit(state) } else { Ok(()) }
    }

    fn insert(&mut self, state: &[Word], note: T::Note) -> Seen {
        if self.heads.is_loop_head(state) {
            return self.inside.insert(state, note);
        }
        self.inside.pass(state);
        Seen::New(PASSED)
    }

    fn close(&mut self, key: Key) {
        if key != PASSED {
            self.inside.close(key);
        }
    }

    fn reopen(&mut self, key: Key) {
        self.inside.reopen(key);
    }

    fn note(&self, key: Key) -> T::Note {
        self.inside.note(key)
    }

    fn set_note(&mut self, key: Key, note: T::Note) {
        self.inside.set_note(key, note);
    }

    fn bytes(&self) -> u64 {
        self.inside.bytes()
    }

    fn coverage(&self) -> Coverage {
        self.inside.coverage()
    }

    fn cache(&self) -> Option<CacheFigures> {
        self.inside.cache()
    }
}
