//! Every state that was ever met, collapsed to a key. Exact, five to thirteen bytes
//! per state of large models. The form of a state is its key; a note beside states is not kept.

use super::{Coverage, Decode, Key, Opens, Seen, Store};
use crate::Why;
use crate::memory::Memory;
use collapse::{Collapse, Cursor, Held, Lookup, Need};
use system::Word;

/// Stores every state; for systems where all words tell states apart.
#[derive(Debug)]
pub(crate) struct Compact {
    states: Collapse,
    cursor: Cursor,
    /// Where in a wave new states are.
    places: Vec<u32>,
}

impl Compact {
    pub(crate) fn new(width: usize) -> Self {
        Self { states: Collapse::new(width, 1), cursor: Cursor::default(), places: Vec::new() }
    }
}

impl Compact {
    /// The states stored.
    pub(crate) fn into_states(self) -> Collapse {
        self.states
    }
}

impl Store for Compact {
    type Note = ();

    #[inline(always)]
    fn stride(&self) -> usize {
        1
    }

    #[inline]
    fn make_room(&mut self, states: usize, memory: &mut Memory) -> Result<(), Why> {
        self.states.table_mut().make_room(states, memory).map_err(|_| memory.full())
    }

    fn start(&mut self, state: &[Word], form: &mut [Word]) -> Result<(), Need> {
        form[0] = self.states.start(&mut self.cursor, state)?;
        Ok(())
    }

    #[inline]
    fn load(&mut self, form: &[Word], state: &mut [Word]) {
        self.states.load(&mut self.cursor, form[0], state);
    }

    #[inline]
    fn intern(&mut self, parent: &[Word], state: &[Word], form: &mut [Word]) -> Result<(), Need> {
        form[0] = self.states.intern(&mut self.cursor, parent, state)?;
        Ok(())
    }

    /// Numbers, of which [`Store::ask_for`] makes keys.
    #[inline]
    fn intern_all(&mut self, family: (&[Word], &[Word]), forms: &mut [Word]) -> Result<(), Need> {
        let mut forms = forms.iter_mut();
        let write = |number| forms.next().into_iter().for_each(|form| *form = number);
        self.states.intern_all(&mut self.cursor, family, write)
    }

    #[inline]
    fn ask_for(&self, forms: &mut [Word]) {
        self.states.ask_for(forms);
    }

    fn adapt(&mut self, need: Need, memory: &mut Memory, held: &mut Held) -> Result<(), Why> {
        self.states.adapt(need, memory, held).map_err(|_| memory.full())
    }

    #[inline(always)]
    fn prefetch(&self, form: &[Word]) {
        self.states.table().prefetch(form[0]);
    }

    #[inline(always)]
    fn insert(&mut self, form: &[Word], (): ()) -> Seen {
        let key = Key(form[0]);
        match self.states.insert(form[0]) {
            Lookup::New => Seen::New(key),
            Lookup::Open => Seen::OnPath(key),
            Lookup::Done => Seen::Done(key),
        }
    }

    #[inline]
    fn insert_all(&mut self, forms: &[Word], (): (), new: &mut Vec<(u32, Key)>) {
        self.states.table_mut().insert_all(forms, &mut self.places);
        new.extend(self.places.iter().map(|at| (*at, Key(forms[*at as usize]))));
    }

    fn close(&mut self, key: Key) {
        self.states.table_mut().close(key.0);
    }

    fn reopen(&mut self, key: Key) {
        self.states.table_mut().reopen(key.0);
    }

    fn note(&self, _: Key) {}

    fn set_note(&mut self, _: Key, (): ()) {}

    fn bytes(&self) -> u64 {
        self.states.bytes()
    }

    #[inline]
    fn collapse(&mut self) -> Option<(&Collapse, &mut Cursor)> {
        Some((&self.states, &mut self.cursor))
    }

    fn coverage(&self) -> Coverage {
        Coverage::Exact
    }
}

impl Opens for Compact {
    fn is_open(&self, form: &[Word]) -> bool {
        self.states.table().is_open(form[0])
    }
}

impl Decode for Compact {
    /// Its form is its key, whether it is stored or not.
    #[inline(always)]
    fn find(&self, form: &[Word]) -> Option<Key> {
        Some(Key(form[0]))
    }

    #[inline]
    fn decode(&mut self, key: Key, state: &mut [Word]) {
        self.load(&[key.0], state);
    }
}
