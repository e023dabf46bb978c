//! Successors between their generation and their lookup, in waves. When a wave is
//! full, the one before it, whose lines of the store have come meanwhile, is looked up
//! all at once; then the lines that the full one will need are asked for, all at once.
//!
//! Measured on a table of 120 MB: asking and looking up one by one, 32 ahead, costs 24 ns
//! a successor, for each waits alone for a walk of the page tables. In one go they share
//! the wait.

use crate::frontier::Waiting;
use crate::log::Way;
use crate::store::Key;
use crate::transition_cache::{Expansion, Targets};
use collapse::Form;
use std::ops::Range;
use system::{Successors, Word};

/// So many successors make a wave.
const WAVE: usize = 32;

/// Two waves: one that comes, its forms as [`Store::intern_all`] wrote them, and one that was
/// [asked for].
///
/// [`Store::intern_all`]: crate::store::Store::intern_all
/// [asked for]: crate::store::Store::ask_for
#[derive(Debug, Default)]
pub(crate) struct Waves {
    coming: Wave,
    asked: Wave,
}

/// States in their forms, side by side, and where they come from.
#[derive(Debug, Default)]
pub(crate) struct Wave {
    states: Targets,
    parents: Vec<Parent>,
}

/// A state with successors in a wave.
#[derive(Clone, Copy, Debug)]
struct Parent {
    key: Key,
    way: Way,
    /// Of its successors.
    depth: u64,
    /// Where its successors begin.
    first: usize,
    expansion: Expansion,
}

/// A state of which some steps were left out: as it waits if it has to be expanded once more,
/// which steps those are, and where its successors are in the wave.
pub(crate) struct Reduced {
    pub(crate) state: Waiting,
    pub(crate) expansion: Expansion,
    pub(crate) successors: Range<usize>,
}

/// Where a state comes from: the way to its parent, its own depth, which of the successors
/// of its parent it is, and the tag of the step between them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    pub(crate) way: Way,
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
        self.coming.len() + self.asked.len()
    }

    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.coming.len() >= WAVE
    }

    /// The wave that comes.
    #[inline]
    pub(crate) fn coming(&mut self) -> &mut Wave {
        &mut self.coming
    }

    /// Where the form of the initial state goes: it need not be asked for.
    pub(crate) fn start(&mut self, stride: usize) -> &mut [Word] {
        let wave = &mut self.asked;
        wave.states.room(1, stride);
        wave.states.begin(0);
        wave.states.fill(1, |_| 0);
        wave.join((Key(0), Way::default()), 0, Expansion::default());
        wave.states.forms_mut(stride)
    }

    /// The wave that was asked for.
    #[inline]
    pub(crate) fn arrived(&mut self) -> Wave {
        std::mem::take(&mut self.asked)
    }

    /// The wave that comes is asked for; one that was looked up makes place for the next.
    #[inline]
    pub(crate) fn turn(&mut self, mut past: Wave, stride: usize, ask: impl Fn(&mut [Word])) {
        past.states.clear();
        past.parents.clear();
        ask(self.coming.states.forms_mut(stride));
        self.asked = std::mem::replace(&mut self.coming, past);
    }

    /// Changes all keys: for stores whose forms are keys, and those that come numbers.
    pub(crate) fn change_keys(&mut self, change: &mut dyn FnMut(&mut Word, Form)) {
        let parents = self.asked.parents.iter_mut().chain(&mut self.coming.parents);
        let reduced = parents.filter(|parent| parent.expansion.tried > 0);
        reduced.for_each(|parent| change(&mut parent.key.0, Form::Key));
        self.asked.states.forms_mut(1).iter_mut().for_each(|key| change(key, Form::Key));
        self.coming.states.forms_mut(1).iter_mut().for_each(|number| change(number, Form::Number));
    }
}

impl Wave {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// All forms.
    #[inline]
    pub(crate) fn forms(&self, stride: usize) -> &[Word] {
        self.states.forms(stride)
    }

    /// The successors of another state come.
    #[inline]
    pub(crate) fn begin(&mut self) -> &mut Targets {
        self.states.begin(self.parents.len() as u16);
        &mut self.states
    }

    /// Those that came since do not count.
    pub(crate) fn take_back(&mut self) {
        self.states.take_back();
    }

    /// Those that came since are the successors of the state of this key, discovered in this
    /// way; their depth.
    #[inline]
    pub(crate) fn join(&mut self, (key, way): (Key, Way), depth: u64, expansion: Expansion) {
        if self.states.count() > 0 {
            let first = self.states.first();
            self.parents.push(Parent { key, way, depth, first, expansion });
        }
    }

    #[inline(always)]
    pub(crate) fn origin(&self, at: usize) -> Origin {
        let note = self.states.notes()[at];
        let Parent { way, depth, first, expansion, .. } = self.parents[usize::from(note.parent())];
        match expansion.tried {
            0 => Origin { way, depth, place: (at - first) as u32, tag: note.note() },
            _ => Origin { way, depth, place: u32::from(note.note()), tag: 0 },
        }
    }

    /// The states of which some steps were left out.
    pub(crate) fn reduced(&self) -> impl Iterator<Item = Reduced> {
        let ends = self.parents.iter().skip(1).map(|parent| parent.first).chain([self.len()]);
        let reduced = self.parents.iter().zip(ends).filter(|(it, _)| it.expansion.tried > 0);
        reduced.map(|(parent, end)| {
            let Parent { key, way, depth, first, expansion } = *parent;
            let state = Waiting { key, way, depth: depth - 1, tag: expansion.tried };
            Reduced { state, expansion, successors: first..end }
        })
    }
}
