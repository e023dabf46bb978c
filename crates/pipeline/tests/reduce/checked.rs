//! Systems around a system: one that checks what it says of its steps, one that notes
//! which states it was asked for.

use std::cell::RefCell;
use std::collections::HashSet;
use system::{Deed, Deeds, Patience, Rest, Successors, System, Word};

/// Fires every pair of steps that are called independent both ways: each must still be
/// there after the other, and both orders must lead to the same state.
pub(crate) struct Checked<'a, S> {
    inner: &'a S,
    name: &'a str,
    pub(crate) pairs: RefCell<u64>,
}

impl<'a, S: Deeds> Checked<'a, S> {
    pub(crate) fn new(inner: &'a S, name: &'a str) -> Self {
        Self { inner, name, pairs: RefCell::new(0) }
    }

    fn list(&self, state: &[Word]) -> (Successors, Vec<Deed>) {
        let (mut batch, mut deeds) = (Successors::new(self.width()), Vec::new());
        self.inner.successors(state, &mut batch);
        self.inner.deeds(&batch, &mut deeds);
        assert_eq!(batch.len(), deeds.len(), "{}: a deed per step", self.name);
        (batch, deeds)
    }

    fn check(&self, state: &[Word]) {
        let (batch, deeds) = self.list(state);
        let behind: Vec<_> = (0..batch.len())
            .map(|i| batch.step(i).1.enters().then(|| self.list(batch.state(i))))
            .collect();
        for i in 0..deeds.len() {
            for j in (0..i).filter(|j| !self.inner.dependent(deeds[i], deeds[*j])) {
                assert_ne!(deeds[i], deeds[j], "{}: a deed is there once", self.name);
                *self.pairs.borrow_mut() += 1;
                let one = self.both(&behind[i], deeds[j], batch.step(j).1);
                let other = self.both(&behind[j], deeds[i], batch.step(i).1);
                let same = one.is_none() || other.is_none() || one == other;
                let steps = (batch.step(i), batch.step(j));
                assert!(same, "{}\nthe order of {steps:?} matters in {state:?}", self.name);
            }
        }
    }

    /// The state behind one deed and then another, which must be there and do the same.
    fn both(
        &self,
        behind: &Option<(Successors, Vec<Deed>)>,
        deed: Deed,
        landing: system::Landing,
    ) -> Option<Vec<Word>> {
        let (batch, deeds) = behind.as_ref()?;
        let place = deeds.iter().position(|other| *other == deed);
        let place = place.unwrap_or_else(|| panic!("{}\n{deed:?} is disabled", self.name));
        assert_eq!(batch.step(place).1, landing, "{}: {deed:?} lands elsewhere", self.name);
        landing.enters().then(|| batch.state(place).to_vec())
    }
}

impl<S: Deeds> System for Checked<'_, S> {
    fn width(&self) -> usize {
        self.inner.width()
    }

    fn initial(&self, words: &mut [Word]) {
        self.inner.initial(words);
    }

    fn successors(&self, state: &[Word], out: &mut Successors) {
        self.check(state);
        self.inner.successors(state, out);
    }

    fn rest(&self, state: &[Word]) -> Rest {
        self.inner.rest(state)
    }

    fn labelled(&self, state: &[Word]) -> bool {
        self.inner.labelled(state)
    }
}

/// Notes every state whose successors are asked for.
pub(crate) struct Spied<'a, S> {
    inner: &'a S,
    pub(crate) visited: RefCell<HashSet<Vec<Word>>>,
}

impl<'a, S> Spied<'a, S> {
    pub(crate) fn new(inner: &'a S) -> Self {
        Self { inner, visited: RefCell::default() }
    }
}

impl<S: Deeds> System for Spied<'_, S> {
    fn width(&self) -> usize {
        self.inner.width()
    }

    fn initial(&self, words: &mut [Word]) {
        self.inner.initial(words);
    }

    fn successors(&self, state: &[Word], out: &mut Successors) {
        self.visited.borrow_mut().insert(state.to_vec());
        self.inner.successors(state, out);
    }

    fn successors_within(
        &self,
        state: &[Word],
        out: &mut Successors,
        patience: &mut dyn Patience,
    ) -> bool {
        self.visited.borrow_mut().insert(state.to_vec());
        self.inner.successors_within(state, out, patience)
    }

    fn rest(&self, state: &[Word]) -> Rest {
        self.inner.rest(state)
    }

    fn labelled(&self, state: &[Word]) -> bool {
        self.inner.labelled(state)
    }
}

impl<S: Deeds> Deeds for Spied<'_, S> {
    fn deeds(&self, batch: &Successors, deeds: &mut Vec<Deed>) {
        self.inner.deeds(batch, deeds);
    }

    fn dependent(&self, one: Deed, other: Deed) -> bool {
        self.inner.dependent(one, other)
    }
}
