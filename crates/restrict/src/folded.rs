//! A system that leaves a part of its states out of their identity (Holzmann 1987, section 5).
//!
//! A state has two halves: the state with the folded parts blank, its identity, and the
//! whole state, which travels along. Of all states with one blank half the one met
//! first is explored: what it leads to is real, what only the others lead to is missed.

use std::cell::RefCell;
use system::{Blank, Blocked, Budget, LoopHeads, Scope, Successors, System, Word};

/// The system.
pub struct Folded<'s> {
    inside: &'s dyn System,
    blanks: Vec<Blank<'s>>,
    steps: RefCell<Successors>,
}

impl<'s> Folded<'s> {
    /// `inside`, with states that become equal by all `blanks` identified.
    pub fn new(inside: &'s dyn System, blanks: Vec<Blank<'s>>) -> Self {
        Self {
            inside,
            blanks,
            steps: RefCell::new(Successors::new(inside.width()).with_last_statements()),
        }
    }

    /// Writes both halves of a state.
    fn write(&self, state: &[Word], words: &mut [Word]) {
        let (identity, whole) = words.split_at_mut(self.inside.width());
        identity.copy_from_slice(state);
        whole.copy_from_slice(state);
        self.blanks.iter().for_each(|blank| blank(identity));
        identity[self.inside.identity_words()..].fill(0);
    }

    fn whole<'w>(&self, words: &'w [Word]) -> &'w [Word] {
        &words[self.inside.width()..]
    }
}

impl System for Folded<'_> {
    fn width(&self) -> usize {
        2 * self.inside.width()
    }

    fn identity_words(&self) -> usize {
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

    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool {
        let steps = &mut *self.steps.borrow_mut();
        steps.clear();
        let whole = self.inside.successors(self.whole(state), steps, budget);
        for ((step, outcome, next), last) in steps.iter().zip(steps.last_statements()) {
            self.write(next, out.push(step, state));
            out.set_outcome(outcome);
            out.set_last_statement(*last);
        }
        whole
    }

    fn blocked(&self, state: &[Word]) -> Blocked {
        self.inside.blocked(self.whole(state))
    }

    fn loop_heads(&self) -> Option<&dyn LoopHeads> {
        self.inside.loop_heads().map(|_| self as &dyn LoopHeads)
    }
}

impl LoopHeads for Folded<'_> {
    fn is_loop_head(&self, state: &[Word]) -> bool {
        self.inside.loop_heads().is_none_or(|heads| heads.is_loop_head(self.whole(state)))
    }
}
