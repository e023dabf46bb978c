//! Systems around a system: one that checks what it says of its steps, one that notes
//! which states it was asked for.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use system::{
    Blocked, Budget, Independence, StepOutcome, Successors, System, Transition, Unlimited, Word,
};

/// Fires every pair of steps that are called independent both ways: each must still be
/// there after the other, and both orders must lead to the same state.
pub(crate) struct Checked<'a, S> {
    inner: &'a S,
    name: &'a str,
    pub(crate) pairs: RefCell<u64>,
    /// What was listed: a state is behind many others.
    lists: RefCell<HashMap<Vec<Word>, Rc<Successors>>>,
}

impl<'a, S: System> Checked<'a, S> {
    pub(crate) fn new(inner: &'a S, name: &'a str) -> Self {
        Self { inner, name, pairs: RefCell::new(0), lists: RefCell::default() }
    }

    fn list(&self, state: &[Word]) -> Rc<Successors> {
        if let Some(known) = self.lists.borrow().get(state) {
            return Rc::clone(known);
        }
        let list = Rc::new(self.listed(state));
        self.lists.borrow_mut().insert(state.to_vec(), Rc::clone(&list));
        list
    }

    fn listed(&self, state: &[Word]) -> Successors {
        let mut batch = Successors::new(self.width()).with_transitions();
        self.inner.successors(state, &mut batch, &mut Unlimited);
        assert_eq!(batch.len(), batch.transitions().len(), "{}: one per step", self.name);
        batch
    }

    fn check(&self, state: &[Word]) {
        let Some(system) = self.inner.independence() else { return };
        let batch = self.list(state);
        let transitions = batch.transitions();
        let behind: Vec<_> = (0..batch.len())
            .map(|i| batch.step(i).1.enters().then(|| self.list(batch.state(i))))
            .collect();
        for i in 0..transitions.len() {
            for j in (0..i).filter(|j| !system.dependent(transitions[i], transitions[*j])) {
                assert_ne!(transitions[i], transitions[j], "{}: each is there once", self.name);
                *self.pairs.borrow_mut() += 1;
                let one = self.both(behind[i].as_deref(), transitions[j], batch.step(j).1);
                let other = self.both(behind[j].as_deref(), transitions[i], batch.step(i).1);
                let same = one.is_none() || other.is_none() || one == other;
                let steps = (batch.step(i), batch.step(j));
                assert!(same, "{}\nthe order of {steps:?} matters in {state:?}", self.name);
            }
        }
    }

    /// The state behind one transition and then another, which must be enabled and do the same.
    fn both(
        &self,
        behind: Option<&Successors>,
        transition: Transition,
        outcome: StepOutcome,
    ) -> Option<Vec<Word>> {
        let batch = behind?;
        let place = batch.transitions().iter().position(|other| *other == transition);
        let place = place.unwrap_or_else(|| panic!("{}\n{transition:?} is disabled", self.name));
        let found = batch.step(place).1;
        assert_eq!(found, outcome, "{}: {transition:?} ends otherwise", self.name);
        outcome.enters().then(|| batch.state(place).to_vec())
    }
}

impl<S: System> System for Checked<'_, S> {
    fn width(&self) -> usize {
        self.inner.width()
    }

    fn initial(&self, words: &mut [Word]) {
        self.inner.initial(words);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, _: &mut dyn Budget) -> bool {
        self.check(state);
        self.inner.successors(state, out, &mut Unlimited);
        true
    }

    fn blocked(&self, state: &[Word]) -> Blocked {
        self.inner.blocked(state)
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

impl<S: System> System for Spied<'_, S> {
    fn width(&self) -> usize {
        self.inner.width()
    }

    fn initial(&self, words: &mut [Word]) {
        self.inner.initial(words);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool {
        self.visited.borrow_mut().insert(state.to_vec());
        self.inner.successors(state, out, budget)
    }

    fn blocked(&self, state: &[Word]) -> Blocked {
        self.inner.blocked(state)
    }

    fn independence(&self) -> Option<&dyn Independence> {
        self.inner.independence()
    }
}
