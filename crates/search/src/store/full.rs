//! Every state that was ever met, in full. Exact.

use super::segments::Segments;
use super::states::States;
use super::{Coverage, Decode, Key, Opens, Seen, Store};
use crate::Why;
use crate::memory::{Memory, bytes_of};
use system::Word;

/// Stores every state with a note of type `N`.
#[derive(Clone, Debug)]
pub(crate) struct Full<N> {
    states: States,
    notes: Segments<N>,
    /// A bit per state: whether it is open.
    open: Vec<u64>,
}

impl<N: Copy> Full<N> {
    pub(crate) fn new(width: usize, identity: usize) -> Self {
        Self { states: States::new(width, identity), notes: Segments::new(1), open: Vec::new() }
    }

    fn is_open(&self, number: u64) -> bool {
        self.open[(number / 64) as usize] >> (number % 64) & 1 == 1
    }

    fn flip(&mut self, number: u64) {
        self.open[(number / 64) as usize] ^= 1 << (number % 64);
    }
}

impl<N: Copy> Store for Full<N> {
    type Note = N;

    fn stride(&self) -> usize {
        self.states.width()
    }

    fn make_room(&mut self, states: usize, memory: &mut Memory) -> Result<(), Why> {
        self.states.make_room(states, memory)?;
        self.notes.make_room(states, memory)?;
        let additional = (self.states.len() + states).div_ceil(64) - self.open.len();
        memory.grow(&mut self.open, additional)
    }

    fn insert(&mut self, state: &[Word], note: N) -> Seen {
        let (number, new) = self.states.add(state);
        let key = Key(number);
        if !new {
            return if self.is_open(number) { Seen::OnPath(key) } else { Seen::Done(key) };
        }
        self.notes.push(&[note]);
        if number % 64 == 0 {
            self.open.push(0);
        }
        self.flip(number);
        Seen::New(key)
    }

    fn close(&mut self, key: Key) {
        debug_assert!(self.is_open(key.0), "a state is closed once for each time it is opened");
        self.flip(key.0);
    }

    fn reopen(&mut self, key: Key) {
        debug_assert!(!self.is_open(key.0), "a state on the path is not explored again");
        self.flip(key.0);
    }

    fn note(&self, key: Key) -> N {
        self.notes.get(key.0 as usize)[0]
    }

    fn set_note(&mut self, key: Key, note: N) {
        self.notes.get_mut(key.0 as usize)[0] = note;
    }

    fn bytes(&self) -> u64 {
        self.states.bytes() + self.notes.bytes() + bytes_of(&self.open)
    }

    fn coverage(&self) -> Coverage {
        Coverage::Exact
    }
}

impl<N: Copy> Opens for Full<N> {
    fn is_open(&self, form: &[Word]) -> bool {
        self.states.find(form).is_some_and(|number| Full::is_open(self, number))
    }
}

impl<N: Copy> Decode for Full<N> {
    fn find(&self, form: &[Word]) -> Option<Key> {
        self.states.find(form).map(Key)
    }

    fn decode(&mut self, key: Key, state: &mut [Word]) {
        state.copy_from_slice(self.states.get(key.0));
    }
}
