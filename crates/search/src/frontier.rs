//! Which of the states that wait is next. States are known by their numbers in
//! the order of discovery.

use crate::Why;
use crate::memory::Memory;

/// A state that waits, with the length of the path it was discovered by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Waiting {
    pub(crate) number: u64,
    pub(crate) depth: u64,
}

/// The states that wait to be expanded.
pub(crate) trait Frontier {
    /// Whether states are taken in the order of their depth, and so first at
    /// their smallest.
    const BY_LEVEL: bool;

    /// Makes room for so many states.
    fn make_room(&mut self, states: usize, memory: &mut Memory) -> Result<(), Why>;

    /// A state begins to wait. The numbers come one after the other.
    fn put(&mut self, state: Waiting);

    /// The next state, which waits no longer.
    fn take(&mut self) -> Option<Waiting>;

    /// How many wait.
    fn len(&self) -> usize;
}

/// Last in, first out: no promise but little memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lifo {
    states: Vec<Waiting>,
}

impl Frontier for Lifo {
    const BY_LEVEL: bool = false;

    #[inline]
    fn make_room(&mut self, states: usize, memory: &mut Memory) -> Result<(), Why> {
        memory.grow(&mut self.states, states)
    }

    #[inline]
    fn put(&mut self, state: Waiting) {
        self.states.push(state);
    }

    #[inline]
    fn take(&mut self) -> Option<Waiting> {
        self.states.pop()
    }

    fn len(&self) -> usize {
        self.states.len()
    }
}

/// First in, first out: level by level (S1). The numbers themselves are the queue.
///
/// INVARIANT: the states from `next` to `end` wait; those before `level_end` have
/// the depth `level`, the others one more.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fifo {
    next: u64,
    end: u64,
    level: u64,
    level_end: u64,
}

impl Frontier for Fifo {
    const BY_LEVEL: bool = true;

    fn make_room(&mut self, _: usize, _: &mut Memory) -> Result<(), Why> {
        Ok(())
    }

    #[inline]
    fn put(&mut self, state: Waiting) {
        debug_assert_eq!(state.number, self.end, "numbers come one after the other");
        self.end += 1;
        if state.depth == self.level {
            self.level_end = self.end;
        }
    }

    #[inline]
    fn take(&mut self) -> Option<Waiting> {
        if self.next == self.end {
            return None;
        }
        if self.next == self.level_end {
            self.level += 1;
            self.level_end = self.end;
        }
        let number = self.next;
        self.next += 1;
        Some(Waiting { number, depth: self.level })
    }

    fn len(&self) -> usize {
        (self.end - self.next) as usize
    }
}
