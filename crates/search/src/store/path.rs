//! Only the states of the current path: the set P of the papers without the set
//! A (Holzmann 1987, section 5). Small, exact, and exponential when paths meet again: a state is forgotten
//! as soon as it is closed and explored anew by every path that leads to it.

use super::states::States;
use super::{Coverage, Key, Opens, Seen, Store};
use crate::Why;
use crate::memory::Memory;
use system::Word;

/// Stores the open states only. A key is a position on the path: it names a
/// state only until that is closed.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    states: States,
}

impl Path {
    pub(crate) fn new(width: usize, identity: usize) -> Self {
        Self { states: States::new(width, identity) }
    }
}

impl Store for Path {
    type Note = ();

    fn stride(&self) -> usize {
        self.states.width()
    }

    fn make_room(&mut self, states: usize, memory: &mut Memory) -> Result<(), Why> {
        self.states.make_room(states, memory)
    }

    fn insert(&mut self, state: &[Word], (): ()) -> Seen {
        match self.states.add(state) {
            (number, true) => Seen::New(Key(number)),
            (number, false) => Seen::OnPath(Key(number)),
        }
    }

    fn close(&mut self, key: Key) {
        debug_assert_eq!(key.0 + 1, self.states.len() as u64, "the end of the path is closed");
        self.states.remove_last();
    }

    fn reopen(&mut self, _: Key) {
        debug_assert!(false, "a closed state is forgotten");
    }

    fn note(&self, _: Key) {}

    fn set_note(&mut self, _: Key, (): ()) {}

    fn bytes(&self) -> u64 {
        self.states.bytes()
    }

    fn coverage(&self) -> Coverage {
        Coverage::Exact
    }
}

impl Opens for Path {
    fn is_open(&self, form: &[Word]) -> bool {
        self.states.find(form).is_some()
    }
}
