//! The successors of a state, made of the steps of its agents.

use collapse::key_of;
use system::Word;

/// A step: the bits of the number that change, and its tag or its weight.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Change {
    pub(super) bits: Word,
    pub(super) note: u16,
}

/// The successors of a state, and how many steps were left out.
///
/// INVARIANT: `states` is as long as it ever was, and `len` of them count.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Numbers, with tags or weights.
    states: Vec<(Word, u16)>,
    len: usize,
    left_out: usize,
}

impl Found {
    #[inline]
    pub(super) fn clear(&mut self) {
        (self.len, self.left_out) = (0, 0);
    }

    /// Whether nothing was found, not even what was left out.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.len + self.left_out == 0
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(crate) fn left_out(&self) -> usize {
        self.left_out
    }

    /// The keys with their tags, or weights.
    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Word, u16)> {
        self.states[..self.len].iter().map(|(number, note)| (key_of(*number), *note))
    }

    /// Makes room for so many more.
    #[inline]
    pub(super) fn reserve(&mut self, steps: usize) {
        if self.states.len() < self.len + steps {
            self.grow(steps);
        }
    }

    #[cold]
    fn grow(&mut self, steps: usize) {
        self.states.resize(2 * (self.len + steps), (0, 0));
    }

    /// Takes a step from the state of `number`, unless its tag has a bit in `row`. There is
    /// room for it. Whether there is a step cannot be foretold, so nothing branches on it: what
    /// is written for one that is not `there` does not count.
    #[inline(always)]
    pub(super) fn add(&mut self, number: Word, change: Change, row: &[Word], there: bool) {
        let tag = u32::from(change.note);
        let word = row.get((tag / Word::BITS) as usize).unwrap_or(&0);
        let left_out = usize::from(there) & (word >> (tag % Word::BITS)) as usize;
        self.states[self.len] = (number ^ change.bits, change.note);
        self.len += usize::from(there) ^ left_out;
        self.left_out += left_out;
    }
}
