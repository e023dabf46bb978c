//! Successors between their generation and their lookup, in waves. When a wave is
//! full, the one before it, whose lines of the store have come meanwhile, is looked up
//! all at once; then the lines that the full one will need are asked for, all at once.
//!
//! Measured on a table of 120 MB: asking and looking up one by one, 32 ahead, costs 24 ns
//! a successor, for each waits alone for a walk of the page tables. In one go they share
//! the wait.

use system::{Successors, Word};

/// So many successors make a wave.
pub(crate) const WAVE: usize = 32;

/// Two waves, and the forms of states that join the one that comes.
#[derive(Debug, Default)]
pub(crate) struct Waves {
    coming: Wave,
    asked: Wave,
}

/// States in their forms, side by side, each with where it comes from.
#[derive(Debug, Default)]
pub(crate) struct Wave {
    pub(crate) forms: Vec<Word>,
    origins: Vec<Origin>,
}

/// Where a state comes from: the number of its parent, its own depth, which of the successors
/// of its parent it is, and the tag of the step between them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    pub(crate) parent: u64,
    pub(crate) depth: u64,
    pub(crate) place: u32,
    pub(crate) tag: u16,
}

/// The tag of a successor, as far as two bytes hold it: else, and if steps have names, none.
#[inline]
pub(crate) fn tag_of(steps: &Successors, place: usize) -> u16 {
    steps.tags().get(place).map_or(0, |tag| u16::try_from(*tag).unwrap_or(0))
}

impl Waves {
    /// How many states there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.coming.origins.len() + self.asked.origins.len()
    }

    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.coming.origins.len() >= WAVE
    }

    /// Where the forms of the next states go.
    #[inline]
    pub(crate) fn forms(&mut self) -> &mut Vec<Word> {
        &mut self.coming.forms
    }

    /// The forms written there count: one for each of these steps.
    #[inline]
    pub(crate) fn join(&mut self, steps: &Successors, parent: u64, depth: u64) {
        let origins = &mut self.coming.origins;
        let origin = |place: usize| {
            let (place, tag) = (place as u32, tag_of(steps, place));
            Origin { parent, depth, place, tag }
        };
        origins.extend((0..steps.len()).map(origin));
    }

    /// States of these keys and tags join, all of one parent.
    #[inline]
    pub(crate) fn add(&mut self, keys: impl Iterator<Item = (Word, u16)>, parent: u64, depth: u64) {
        for (place, (key, tag)) in (0..).zip(keys) {
            self.coming.forms.push(key);
            self.coming.origins.push(Origin { parent, depth, place, tag });
        }
    }

    /// The form written there counts: the initial state's.
    pub(crate) fn begin(&mut self) {
        self.coming.origins.push(Origin { parent: 0, depth: 0, place: 0, tag: 0 });
    }

    /// The forms written there do not count.
    pub(crate) fn take_back(&mut self, stride: usize) {
        self.coming.forms.truncate(self.coming.origins.len() * stride);
    }

    /// The wave that was asked for.
    #[inline]
    pub(crate) fn arrived(&mut self) -> Wave {
        std::mem::take(&mut self.asked)
    }

    /// The wave that comes is asked for; one that was looked up makes place for the next.
    #[inline]
    pub(crate) fn turn(&mut self, mut past: Wave, stride: usize, ask: impl Fn(&[Word])) {
        past.forms.clear();
        past.origins.clear();
        self.coming.forms.chunks_exact(stride).for_each(ask);
        self.asked = std::mem::replace(&mut self.coming, past);
    }

    /// All forms, to change: for stores whose forms are one word.
    pub(crate) fn forms_mut(&mut self) -> impl Iterator<Item = &mut Word> {
        self.asked.forms.iter_mut().chain(&mut self.coming.forms)
    }
}

impl Wave {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.origins.len()
    }

    /// The form of a state, and where it comes from.
    #[inline]
    pub(crate) fn state(&self, at: usize, stride: usize) -> (&[Word], Origin) {
        (&self.forms[at * stride..][..stride], self.origins[at])
    }
}
