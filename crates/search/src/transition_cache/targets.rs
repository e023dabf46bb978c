//! The successors of states, made of the steps of their agents.

use system::Word;

/// A step: the bits of the number that change, and its tag or its weight.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Change {
    pub(super) bits: Word,
    pub(super) note: u16,
}

/// What is said of a successor: its tag or weight, and of which state it is one, in one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Note(u32);

impl Note {
    #[inline(always)]
    fn new(note: u16, parent: u16) -> Self {
        Self(u32::from(note) | u32::from(parent) << u16::BITS)
    }

    /// Its tag or weight.
    #[inline(always)]
    pub(crate) fn note(self) -> u16 {
        self.0 as u16
    }

    /// What the state is called.
    #[inline(always)]
    pub(crate) fn parent(self) -> u16 {
        (self.0 >> u16::BITS) as u16
    }
}

/// Successors of states, one state after the other, and how many steps of the last one were
/// left out. Of each its number, or whatever words somebody wrote for it.
///
/// INVARIANT: both lists are as long as they ever were, and `len` successors count.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    forms: Vec<Word>,
    notes: Vec<Note>,
    len: usize,
    /// Where those of the last state begin.
    first: usize,
    parent: u16,
    left_out: usize,
}

impl Targets {
    pub(crate) fn clear(&mut self) {
        (self.len, self.first) = (0, 0);
    }

    /// The successors of another state come, which is called `parent`.
    #[inline]
    pub(crate) fn begin(&mut self, parent: u16) {
        (self.first, self.parent, self.left_out) = (self.len, parent, 0);
    }

    /// Those of the last state do not count.
    #[inline]
    pub(crate) fn take_back(&mut self) {
        (self.len, self.left_out) = (self.first, 0);
    }

    /// Keeps those with this note; all of them are numbers.
    pub(crate) fn keep_noted(&mut self, note: u16) {
        let mut kept = 0;
        for at in 0..self.len {
            if self.notes[at].note() == note {
                (self.forms[kept], self.notes[kept]) = (self.forms[at], self.notes[at]);
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// How many successors there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Where those of the last state begin.
    #[inline]
    pub(crate) fn first(&self) -> usize {
        self.first
    }

    /// How many the last state has.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.len - self.first
    }

    /// How many steps it leaves out.
    #[inline]
    pub(crate) fn left_out(&self) -> usize {
        self.left_out
    }

    /// All of them, of so many words each.
    #[inline]
    pub(crate) fn forms(&self, stride: usize) -> &[Word] {
        &self.forms[..self.len * stride]
    }

    /// The same, to change.
    #[inline]
    pub(crate) fn forms_mut(&mut self, stride: usize) -> &mut [Word] {
        &mut self.forms[..self.len * stride]
    }

    #[inline]
    pub(crate) fn notes(&self) -> &[Note] {
        &self.notes[..self.len]
    }

    /// Where so many more will stand, of so many words each, to be written before it is said by
    /// [`Targets::fill`] that they are there.
    #[inline]
    pub(crate) fn room(&mut self, count: usize, stride: usize) -> &mut [Word] {
        self.reserve(count, stride);
        &mut self.forms[self.len * stride..][..count * stride]
    }

    /// Says that there are so many more, with these tags.
    #[inline]
    pub(crate) fn fill(&mut self, count: usize, tag: impl Fn(usize) -> u16) {
        let parent = self.parent;
        for (at, note) in self.notes[self.len..][..count].iter_mut().enumerate() {
            *note = Note::new(tag(at), parent);
        }
        self.len += count;
    }

    /// Makes room for so many more.
    #[inline]
    pub(super) fn reserve(&mut self, count: usize, stride: usize) {
        let needed = self.len + count;
        if self.notes.len() < needed || self.forms.len() < needed * stride {
            self.grow(needed, stride);
        }
    }

    #[cold]
    fn grow(&mut self, needed: usize, stride: usize) {
        let notes = self.notes.len().max(2 * needed);
        self.notes.resize(notes, Note::default());
        self.forms.resize(self.forms.len().max(notes * stride), 0);
    }

    /// For the steps of agents from a state of this number, without those whose tags have a
    /// bit in `row`, which has a bit for every tag.
    #[inline(always)]
    pub(super) fn adding<'a>(&'a mut self, number: Word, row: &'a [Word]) -> Adding<'a> {
        let Self { forms, notes, len, left_out, parent, .. } = self;
        // Of one length, so that one comparison does for both.
        let most = forms.len().min(notes.len());
        let (forms, notes) = (&mut forms[..most], &mut notes[..most]);
        Adding { number, row, forms, notes, parent: *parent, len: *len, left_out: *left_out }
    }

    /// So many are there now, and so many of the last state are left out.
    #[inline(always)]
    pub(super) fn added(&mut self, (len, left_out): (usize, usize)) {
        (self.len, self.left_out) = (len, left_out);
    }
}

/// [`Targets`] while steps are added; what changes is at hand.
pub(super) struct Adding<'a> {
    number: Word,
    row: &'a [Word],
    forms: &'a mut [Word],
    notes: &'a mut [Note],
    parent: u16,
    len: usize,
    left_out: usize,
}

impl Adding<'_> {
    /// Takes a step. There is room for it. Whether there is one cannot be foretold, so nothing
    /// branches on it: what is written for one that is not `there` does not count.
    #[inline(always)]
    pub(super) fn add(&mut self, change: Change, there: bool) {
        let tag = u32::from(change.note);
        let word = self.row[(tag / Word::BITS) as usize];
        let left_out = usize::from(there) & (word >> (tag % Word::BITS)) as usize;
        self.forms[self.len] = self.number ^ change.bits;
        self.notes[self.len] = Note::new(change.note, self.parent);
        self.len += usize::from(there) ^ left_out;
        self.left_out += left_out;
    }

    /// Takes a step at this place among those of all agents; no step is left out.
    #[inline(always)]
    pub(super) fn add_at(&mut self, bits: Word, place: u32) {
        self.forms[self.len] = self.number ^ bits;
        self.notes[self.len] = Note::new(place as u16, self.parent);
        self.len += 1;
    }

    /// How many there are, and how many are left out.
    #[inline(always)]
    pub(super) fn end(self) -> (usize, usize) {
        (self.len, self.left_out)
    }
}
