//! Which of the states that wait is next.

use crate::Why;
use crate::rows::Rows;
use crate::store::Key;
use collapse::Account;
use system::Word;

/// A state that waits: its key, its number in the order of discovery, the length of the path
/// it was discovered by, and the tag of the last step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Waiting {
    pub(crate) key: Key,
    pub(crate) number: u64,
    pub(crate) depth: u64,
    pub(crate) tag: u16,
}

/// The states that wait to be expanded.
pub(crate) trait Frontier {
    /// Whether states are taken in the order of their depth, and so first at
    /// their smallest.
    const BY_LEVEL: bool;

    /// Makes room for so many states.
    fn make_room(&mut self, states: usize, account: &mut dyn Account) -> Result<(), Why>;

    /// A state begins to wait. The numbers come one after the other.
    fn put(&mut self, state: Waiting);

    /// The next state, which waits no longer.
    fn take(&mut self) -> Option<Waiting>;

    /// How many wait.
    fn len(&self) -> usize;

    /// Every key, to change.
    fn change_keys(&mut self, change: &mut dyn FnMut(&mut Word));
}

/// A tag fits into two bytes.
const TAG_BITS: u32 = u16::BITS;

/// Last in, first out: no promise but little memory.
#[derive(Debug, Default)]
pub(crate) struct Lifo {
    /// Key, number, depth and tag.
    states: Rows<3>,
}

impl Frontier for Lifo {
    const BY_LEVEL: bool = false;

    #[inline]
    fn make_room(&mut self, states: usize, account: &mut dyn Account) -> Result<(), Why> {
        self.states.make_room(states, account)
    }

    #[inline(always)]
    fn put(&mut self, state: Waiting) {
        let depth = state.depth << TAG_BITS | u64::from(state.tag);
        self.states.push([state.key.0, state.number, depth]);
    }

    #[inline(always)]
    fn take(&mut self) -> Option<Waiting> {
        self.states.pop().map(waiting)
    }

    #[inline]
    fn len(&self) -> usize {
        self.states.len()
    }

    fn change_keys(&mut self, change: &mut dyn FnMut(&mut Word)) {
        self.states.rows_mut().iter_mut().for_each(|[key, ..]| change(key));
    }
}

impl Lifo {
    /// Takes the older half off, from which more follows.
    pub(crate) fn drain_older(&mut self, mut take: impl FnMut(Waiting)) {
        self.states.drain_first(self.states.len() / 2, |row| take(waiting(row)));
    }
}

#[inline(always)]
fn waiting([key, number, depth]: [Word; 3]) -> Waiting {
    Waiting { key: Key(key), number, depth: depth >> TAG_BITS, tag: depth as u16 }
}

/// First in, first out: level by level.
///
/// INVARIANT: the states of `now` from `next` on, which have the depth `level`, and those of
/// `later`, one more, wait; their numbers follow each other.
#[derive(Debug, Default)]
pub(crate) struct Fifo {
    now: Rows<2>,
    later: Rows<2>,
    next: usize,
    level: u64,
    /// The number of the next state.
    number: u64,
}

impl Frontier for Fifo {
    const BY_LEVEL: bool = true;

    #[inline]
    fn make_room(&mut self, states: usize, account: &mut dyn Account) -> Result<(), Why> {
        self.now.make_room(states, account)?;
        self.later.make_room(states, account)
    }

    #[inline]
    fn put(&mut self, state: Waiting) {
        let row = [state.key.0, u64::from(state.tag)];
        if state.depth == self.level { self.now.push(row) } else { self.later.push(row) }
    }

    #[inline]
    fn take(&mut self) -> Option<Waiting> {
        if self.next == self.now.len() {
            if self.later.len() == 0 {
                return None;
            }
            self.now.clear();
            std::mem::swap(&mut self.now, &mut self.later);
            (self.next, self.level) = (0, self.level + 1);
        }
        let [key, tag] = self.now.get(self.next);
        let number = self.number;
        (self.next, self.number) = (self.next + 1, self.number + 1);
        Some(Waiting { key: Key(key), number, depth: self.level, tag: tag as u16 })
    }

    fn len(&self) -> usize {
        self.now.len() - self.next + self.later.len()
    }

    fn change_keys(&mut self, change: &mut dyn FnMut(&mut Word)) {
        let rows = self.now.rows_mut().iter_mut().chain(self.later.rows_mut());
        rows.for_each(|[key, _]| change(key));
    }
}
