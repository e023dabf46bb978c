//! Which of the states that wait is next.

use crate::Why;
use crate::memory::Memory;
use crate::store::Key;

/// The states that wait to be expanded.
pub(crate) trait Frontier {
    /// Whether states are taken in the order of their depth, and so first at
    /// their smallest.
    const BY_LEVEL: bool;

    /// Makes room for so many states.
    fn make_room(&mut self, states: usize, memory: &mut Memory) -> Result<(), Why>;

    /// A state begins to wait.
    fn put(&mut self, key: Key);

    /// The next state, which waits no longer.
    fn take(&mut self) -> Option<Key>;

    /// How many wait.
    fn len(&self) -> usize;
}

/// Last in, first out: no promise but little memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lifo {
    keys: Vec<Key>,
}

impl Frontier for Lifo {
    const BY_LEVEL: bool = false;

    fn make_room(&mut self, states: usize, memory: &mut Memory) -> Result<(), Why> {
        memory.grow(&mut self.keys, states)
    }

    fn put(&mut self, key: Key) {
        self.keys.push(key);
    }

    fn take(&mut self) -> Option<Key> {
        self.keys.pop()
    }

    fn len(&self) -> usize {
        self.keys.len()
    }
}

/// First in, first out: level by level (S1).
#[derive(Clone, Debug, Default)]
pub(crate) struct Fifo {
    /// The level being expanded, up to `taken` already.
    level: Vec<Key>,
    taken: usize,
    next: Vec<Key>,
}

impl Frontier for Fifo {
    const BY_LEVEL: bool = true;

    fn make_room(&mut self, states: usize, memory: &mut Memory) -> Result<(), Why> {
        memory.grow(&mut self.next, states)
    }

    fn put(&mut self, key: Key) {
        self.next.push(key);
    }

    fn take(&mut self) -> Option<Key> {
        if self.taken == self.level.len() {
            self.level.clear();
            self.taken = 0;
            std::mem::swap(&mut self.level, &mut self.next);
        }
        let key = self.level.get(self.taken).copied()?;
        self.taken += 1;
        Some(key)
    }

    fn len(&self) -> usize {
        self.level.len() - self.taken + self.next.len()
    }
}
