//! A system that ignores a part of its states in matching (Holzmann 1987, section 5).
//!
//! A state has two halves: the state with the folded parts blank, which tells, and the
//! whole state, which travels along. Of all states with one blank half the one met
//! first is explored: what it leads to is real, what only the others lead to is missed.

use std::cell::RefCell;
use system::{Blank, Endless, Patience, Rest, Scope, Successors, System, Word};

/// The system.
pub struct Folded<'s> {
    inside: &'s dyn System,
    blanks: Vec<Blank<'s>>,
    steps: RefCell<Successors>,
}

impl<'s> Folded<'s> {
    /// `inside`, with states that become equal by all `blanks` taken for one another.
    pub fn new(inside: &'s dyn System, blanks: Vec<Blank<'s>>) -> Self {
        Self { inside, blanks, steps: RefCell::new(Successors::new(inside.width())) }
    }

    /// Writes both halves of a state.
    fn write(&self, state: &[Word], words: &mut [Word]) {
        let (telling, whole) = words.split_at_mut(self.inside.width());
        telling.copy_from_slice(state);
        whole.copy_from_slice(state);
        self.blanks.iter().for_each(|blank| blank(telling));
        telling[self.inside.telling()..].fill(0);
    }

    fn whole<'w>(&self, words: &'w [Word]) -> &'w [Word] {
        &words[self.inside.width()..]
    }
}

impl System for Folded<'_> {
    fn width(&self) -> usize {
        2 * self.inside.width()
    }

    fn telling(&self) -> usize {
        self.inside.width()
    }

    fn scope(&self) -> Scope {
        Scope::Folded
    }

    fn initial(&self, words: &mut [Word]) {
        let mut state = vec![0; self.inside.width()];
        self.inside.initial(&mut state);
        self.write(&state, words);
    }

    fn successors(&self, state: &[Word], out: &mut Successors) {
        self.successors_within(state, out, &mut Endless);
    }

    fn successors_within(
        &self,
        state: &[Word],
        out: &mut Successors,
        patience: &mut dyn Patience,
    ) -> bool {
        let steps = &mut *self.steps.borrow_mut();
        steps.clear();
        let whole = self.inside.successors_within(self.whole(state), steps, patience);
        for (step, landing, next) in steps.iter() {
            self.write(next, out.push(step, state));
            out.land(landing);
        }
        whole
    }

    fn rest(&self, state: &[Word]) -> Rest {
        self.inside.rest(self.whole(state))
    }

    fn labelled(&self, state: &[Word]) -> bool {
        self.inside.labelled(self.whole(state))
    }
}
