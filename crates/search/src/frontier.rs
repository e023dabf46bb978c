//! Which of the states that wait is next.

use crate::Why;
use crate::log::Way;
use crate::rows::Rows;
use crate::store::Key;
use collapse::Account;
use std::cmp::Reverse;
use system::Word;

/// A state that waits: its key, the way it was discovered, the length of the path
/// it was discovered by, and the tag of the last step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Waiting {
    pub(crate) key: Key,
    pub(crate) way: Way,
    pub(crate) depth: u64,
    pub(crate) tag: u16,
}

/// The states that wait to be expanded.
pub(crate) trait Frontier {
    /// Whether it may wait for states until many have come.
    const IN_WAVES: bool = true;

    /// Whether states are taken in the order of their depth, and so first at
    /// their smallest.
    const BY_LEVEL: bool;

    /// Makes room for so many states.
    fn make_room(&mut self, states: usize, account: &mut dyn Account) -> Result<(), Why>;

    /// A state begins to wait.
    fn put(&mut self, state: Waiting);

    /// The next state, which waits no longer.
    fn take(&mut self) -> Option<Waiting>;

    /// How many wait.
    fn len(&self) -> usize;

    /// Every key, to change.
    fn change_keys(&mut self, change: &mut dyn FnMut(&mut Word));
}

/// A tag fits into two bytes, and beside them the number of an anchor.
const TAG_BITS: u32 = u16::BITS;

/// Last in, first out: no promise but little memory.
#[derive(Debug, Default)]
pub(crate) struct Lifo {
    /// Key, anchor and tag, path, depth.
    states: Rows<4>,
}

impl Frontier for Lifo {
    const BY_LEVEL: bool = false;

    #[inline]
    fn make_room(&mut self, states: usize, account: &mut dyn Account) -> Result<(), Why> {
        self.states.make_room(states, account)
    }

    #[inline(always)]
    fn put(&mut self, state: Waiting) {
        let [key, anchor, path] = row(state);
        self.states.push([key, anchor, path, state.depth]);
    }

    #[inline(always)]
    fn take(&mut self) -> Option<Waiting> {
        let [key, anchor, path, depth] = self.states.pop()?;
        Some(waiting([key, anchor, path], depth))
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
        self.states.drain_first(self.states.len() / 2, |[key, anchor, path, depth]| {
            take(waiting([key, anchor, path], depth));
        });
    }
}

/// All of a state but its depth.
#[inline(always)]
fn row(state: Waiting) -> [Word; 3] {
    [state.key.0, state.way.anchor << TAG_BITS | Word::from(state.tag), state.way.path]
}

#[inline(always)]
fn waiting([key, anchor, path]: [Word; 3], depth: u64) -> Waiting {
    let way = Way { anchor: anchor >> TAG_BITS, path };
    Waiting { key: Key(key), way, depth, tag: anchor as u16 }
}

/// The smallest tag first, which is a distance; of the same the greatest depth. With the
/// smallest depth first, `corpus/faulty/exclusion.pml` takes 918,365 states to the error instead of
/// 32,138, and `leader.pml` 281,227 instead of 27,121.
///
/// INVARIANT: a heap; no row comes before the one at half its number.
#[derive(Debug, Default)]
pub(crate) struct Best {
    /// Key, anchor and tag, path, depth.
    states: Rows<4>,
}

/// What comes first has the smaller rank. The path makes it the same in every run.
fn rank([_, anchor, path, depth]: [Word; 4]) -> (u16, Reverse<Word>, Word, Word) {
    (anchor as u16, Reverse(depth), anchor >> TAG_BITS, path)
}

impl Frontier for Best {
    const IN_WAVES: bool = false;
    const BY_LEVEL: bool = false;

    fn make_room(&mut self, states: usize, account: &mut dyn Account) -> Result<(), Why> {
        self.states.make_room(states, account)
    }

    fn put(&mut self, state: Waiting) {
        let [key, anchor, path] = row(state);
        self.states.push([key, anchor, path, state.depth]);
        let rows = self.states.rows_mut();
        let mut at = rows.len() - 1;
        while at > 0 && rank(rows[at]) < rank(rows[(at - 1) / 2]) {
            rows.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }

    fn take(&mut self) -> Option<Waiting> {
        let last = self.states.len().checked_sub(1)?;
        self.states.rows_mut().swap(0, last);
        let [key, anchor, path, depth] = self.states.pop()?;
        let rows = self.states.rows_mut();
        let mut at = 0;
        while let Some(least) =
            (2 * at + 1..(2 * at + 3).min(rows.len())).min_by_key(|child| rank(rows[*child]))
            && rank(rows[least]) < rank(rows[at])
        {
            rows.swap(at, least);
            at = least;
        }
        Some(waiting([key, anchor, path], depth))
    }

    fn len(&self) -> usize {
        self.states.len()
    }

    fn change_keys(&mut self, change: &mut dyn FnMut(&mut Word)) {
        self.states.rows_mut().iter_mut().for_each(|[key, ..]| change(key));
    }
}

/// First in, first out: level by level.
///
/// INVARIANT: the states of `now` from `next` on, which have the depth `level`, and those of
/// `later`, one more, wait.
#[derive(Debug, Default)]
pub(crate) struct Fifo {
    now: Rows<3>,
    later: Rows<3>,
    next: usize,
    level: u64,
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
        let list = if state.depth <= self.level { &mut self.now } else { &mut self.later };
        list.push(row(state));
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
        self.next += 1;
        Some(waiting(self.now.get(self.next - 1), self.level))
    }

    fn len(&self) -> usize {
        self.now.len() - self.next + self.later.len()
    }

    fn change_keys(&mut self, change: &mut dyn FnMut(&mut Word)) {
        let rows = self.now.rows_mut().iter_mut().chain(self.later.rows_mut());
        rows.for_each(|[key, ..]| change(key));
    }
}
