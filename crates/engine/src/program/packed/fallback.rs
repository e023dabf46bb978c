//! The reference interpreter, for states that the packed form gives up.

use super::Form;
use super::convert::{decode, encode};
use super::knowledge::Knowledge;
use crate::program::stepper::Stepper;
use ::packed::Slow;
use program::reference::State;
use std::cell::{Cell, RefCell};
use system::{Patience, Rest, Successors, Word};

/// Answers for states that the packed form gives up.
pub(super) struct Fallback<'a> {
    form: Form<'a>,
    pub(super) stepper: Stepper<'a>,
    pub(super) knowledge: RefCell<Knowledge>,
    /// Some state had no room.
    pub(super) too_narrow: Cell<bool>,
}

impl<'a> Fallback<'a> {
    pub(super) fn new(mut form: Form<'a>) -> Self {
        let knowledge = RefCell::new(std::mem::take(&mut form.knowledge));
        let stepper = Stepper::new(form.program, form.rules);
        Self { form, stepper, knowledge, too_narrow: Cell::new(false) }
    }

    pub(super) fn form(&self) -> &Form<'a> {
        &self.form
    }

    /// The state that words stand for.
    pub(super) fn state(&self, words: &[Word]) -> State {
        decode(self.form.program, &self.form.layout, words)
    }
}

impl Slow for Fallback<'_> {
    fn successors_within(
        &self,
        state: &[Word],
        out: &mut Successors,
        patience: &mut dyn Patience,
    ) -> bool {
        let Form { program, layout, facts, .. } = &self.form;
        self.stepper.steps(&self.state(state), patience, |step, landing, next| {
            let words = out.push(step, state);
            words.fill(0);
            if encode(layout, &next, words).is_some() {
                out.land(landing);
                return;
            }
            // There is no room for it: the whole search is repeated with more.
            out.take_back();
            self.too_narrow.set(true);
            self.knowledge.borrow_mut().be_surprised(program, facts, next);
        })
    }

    fn rest(&self, state: &[Word]) -> Rest {
        self.stepper.rest(&self.state(state))
    }

    fn labelled(&self, _: &[Word]) -> bool {
        true
    }

    /// The stepper has it.
    fn notes_executed(&self) -> bool {
        true
    }
}
