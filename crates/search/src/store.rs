//! What a search remembers of the states it has met.
//!
//! In: states as words, each with a note. Out: a [`Key`] per state and the answer
//! whether it is new. A store owns the representation. What a loop keeps of a state
//! that is generated and not looked up yet is its form, a few words that only the
//! store understands: the key of a collapsed state, or simply all its words. So a
//! loop can generate many states first, ask for their lines of the store, and look
//! them up when the lines have come.
//!
//! The papers' two sets, P of the states on the current path and A of those
//! analysed, are told apart by [`Seen`]; [`Store::close`] moves a state from P to A,
//! after which a store may forget it.
//!
//! The note is a type of the store, chosen by who needs it: a store that keeps
//! nothing beside its states has `Note = ()`, and does not type-check with a part
//! that needs more.

mod cache;
mod compact;
mod full;
mod labelled;
mod lossy;
mod path;
mod ring;
mod segments;
mod states;

pub(crate) use cache::Cache;
pub use cache::{CacheFigures, CacheRequest, Replace, Revisits, SCAN};
pub(crate) use compact::Compact;
pub(crate) use full::Full;
pub(crate) use labelled::Labelled;
pub(crate) use lossy::{Bits, Fingerprints, Lossy};
pub(crate) use path::Path;
pub(crate) use states::States;

use crate::Why;
use crate::memory::Memory;
use collapse::{Collapse, Cursor, Held, Need};
use system::Word;

/// The name of a stored state within its store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Key(pub(crate) u64);

/// What a store says about a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Seen {
    /// It was not stored; now it is, and it is open.
    New(Key),
    /// It is stored and open: on the current path of a depth-first search.
    OnPath(Key),
    /// It is stored and closed.
    Done(Key),
}

/// What a store can vouch for when a search ends.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Coverage {
    /// No state was taken for another one, none was skipped.
    #[default]
    Exact,
    /// Hashes stood for states, and some states were taken for others.
    Hashed {
        /// How many of the states that came were probably left out: the sum of
        /// p / (1 - p) over all states stored, where p is the probability at that
        /// time that a new state is taken for an old one.
        omitted: f64,
    },
}

/// A store of states. A form is all the words of a state unless a store says
/// otherwise.
pub(crate) trait Store {
    /// What is kept beside a state.
    type Note: Copy;

    /// The words of a form.
    fn stride(&self) -> usize;

    /// Makes room for so many states, so that as many inserts do not allocate.
    fn make_room(&mut self, states: usize, memory: &mut Memory) -> Result<(), Why>;

    /// Writes the form of a state that is no successor of another.
    fn start(&mut self, state: &[Word], form: &mut [Word]) -> Result<(), Need> {
        form.copy_from_slice(state);
        Ok(())
    }

    /// Writes the words of the state of this form, whose successors come next.
    fn load(&mut self, form: &[Word], state: &mut [Word]) {
        state.copy_from_slice(form);
    }

    /// Writes the form of `state`, a successor of the state loaded last, whose words
    /// come first. `Err` if the store has to adapt first.
    fn intern(&mut self, _: &[Word], state: &[Word], form: &mut [Word]) -> Result<(), Need> {
        form.copy_from_slice(state);
        Ok(())
    }

    /// Writes what [`Store::ask_for`] makes the forms of all of `states`, successors of the
    /// state loaded last.
    fn intern_all(
        &mut self,
        (parent, states): (&[Word], &[Word]),
        forms: &mut [Word],
    ) -> Result<(), Need> {
        let stride = self.stride();
        for (state, form) in states.chunks_exact(parent.len()).zip(forms.chunks_exact_mut(stride)) {
            self.intern(parent, state, form)?;
        }
        Ok(())
    }

    /// States will be looked up soon: makes their forms what they are.
    fn ask_for(&self, _: &mut [Word]) {}

    /// Provides what was missing. For this all forms and keys may change: those
    /// `held` are changed along, and the parent has to be loaded again.
    fn adapt(&mut self, _: Need, _: &mut Memory, _: &mut Held) -> Result<(), Why> {
        Ok(())
    }

    /// The state of this form will be looked up soon.
    fn prefetch(&self, _: &[Word]) {}

    /// Whether the state of this form can be inserted; why not, if not.
    fn admit(&self, _: &[Word]) -> Result<(), Why> {
        Ok(())
    }

    /// Looks the state of this form up; stores it, open, with the note if it is new.
    fn insert(&mut self, form: &[Word], note: Self::Note) -> Seen;

    /// Looks the states of these forms, one behind the other, up and stores those that are
    /// new; appends which ones of them those are, and their keys, to `new`.
    fn insert_all(&mut self, forms: &[Word], note: Self::Note, new: &mut Vec<(u32, Key)>) {
        for (at, form) in (0..).zip(forms.chunks_exact(self.stride())) {
            if let Seen::New(key) = self.insert(form, note) {
                new.push((at, key));
            }
        }
    }

    /// The state is expanded: it moves from P to A.
    fn close(&mut self, key: Key);

    /// The state is to be explored again: it moves from A to P.
    fn reopen(&mut self, key: Key);

    /// The note of a stored state.
    fn note(&self, key: Key) -> Self::Note;

    /// Changes the note of a stored state.
    fn set_note(&mut self, key: Key, note: Self::Note);

    /// The bytes allocated.
    fn bytes(&self) -> u64;

    /// The tables behind it, if it collapses states and forms are keys.
    fn collapse(&mut self) -> Option<(&Collapse, &mut Cursor)> {
        None
    }

    /// What the store can vouch for.
    fn coverage(&self) -> Coverage;

    /// What became of it, if it is a cache.
    fn cache(&self) -> Option<CacheFigures> {
        None
    }
}

/// A store that can be asked for a state without adding it.
pub(crate) trait Opens: Store {
    /// Whether the state of this form is stored and open: on the current path.
    fn is_open(&self, form: &[Word]) -> bool;
}

/// The states that are known, as a worker of the unordered loop sees them.
pub(crate) trait Table {
    /// As [`Store::stride`].
    fn stride(&self) -> usize;

    /// As [`Decode::decode`].
    fn decode(&mut self, key: Key, state: &mut [Word]);

    /// As [`Store::intern_all`].
    fn intern_all(&mut self, family: (&[Word], &[Word]), forms: &mut [Word]) -> Result<(), Need>;

    /// As [`Store::ask_for`].
    fn ask_for(&self, forms: &mut [Word]);

    /// As [`Store::insert_all`].
    fn insert_all(&mut self, forms: &[Word], new: &mut Vec<(u32, Key)>);

    /// As [`Store::collapse`].
    fn collapse(&mut self) -> Option<(&Collapse, &mut Cursor)>;

    /// The state waits no longer.
    fn close(&mut self, key: Key);

    /// Whether the state of this form is known to wait. There may be no telling.
    fn is_open(&self, form: &[Word]) -> bool;

    /// The key of the state of this form, which is stored, if nobody else expands states.
    fn key_of(&self, form: &[Word]) -> Option<Key>;
}

impl<T: Decode<Note = ()>> Table for T {
    #[inline(always)]
    fn stride(&self) -> usize {
        Store::stride(self)
    }

    #[inline(always)]
    fn decode(&mut self, key: Key, state: &mut [Word]) {
        Decode::decode(self, key, state);
    }

    #[inline(always)]
    fn intern_all(&mut self, family: (&[Word], &[Word]), forms: &mut [Word]) -> Result<(), Need> {
        Store::intern_all(self, family, forms)
    }

    #[inline(always)]
    fn ask_for(&self, forms: &mut [Word]) {
        Store::ask_for(self, forms);
    }

    #[inline(always)]
    fn insert_all(&mut self, forms: &[Word], new: &mut Vec<(u32, Key)>) {
        Store::insert_all(self, forms, (), new);
    }

    #[inline(always)]
    fn collapse(&mut self) -> Option<(&Collapse, &mut Cursor)> {
        Store::collapse(self)
    }

    #[inline(always)]
    fn close(&mut self, key: Key) {
        Store::close(self, key);
    }

    #[inline(always)]
    fn is_open(&self, form: &[Word]) -> bool {
        Opens::is_open(self, form)
    }

    #[inline(always)]
    fn key_of(&self, form: &[Word]) -> Option<Key> {
        Decode::find(self, form)
    }
}

/// A store that gives the words of any stored state back.
pub(crate) trait Decode: Opens {
    /// The key of the state of this form, if it is stored.
    fn find(&self, form: &[Word]) -> Option<Key>;

    /// Writes the words of a stored state, whose successors come next.
    fn decode(&mut self, key: Key, state: &mut [Word]);
}
