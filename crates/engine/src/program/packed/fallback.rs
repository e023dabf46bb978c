//! The reference interpreter, for states that the packed form gives up.

use super::Form;
use super::convert::{decode, encode};
use super::knowledge::Knowledge;
use crate::program::stepper::Stepper;
use ::packed::Fallback;
use program::reference::State;
use std::cell::{Cell, RefCell};
use system::{Blocked, Budget, Successors, Word};

/// Answers for states that the packed form gives up.
pub(super) struct ReferenceFallback<'a> {
    form: Form<'a>,
    pub(super) stepper: Stepper<'a>,
    pub(super) knowledge: RefCell<Knowledge>,
    /// Some state had no room.
    pub(super) too_narrow: Cell<bool>,
}

impl<'a> ReferenceFallback<'a> {
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

impl Fallback for ReferenceFallback<'_> {
    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool {
        let Form { program, layout, facts, .. } = &self.form;
        self.stepper.steps(&self.state(state), budget, |next| {
            let words = out.push(next.step, state);
            words.fill(0);
            if encode(layout, &next.state, words).is_some() {
                out.set_outcome(next.outcome);
                return;
            }
            // There is no room for it: the whole search is repeated with more.
            out.take_back();
            self.too_narrow.set(true);
            self.knowledge.borrow_mut().speculation_failed(program, facts, next.state);
        })
    }

    fn blocked(&self, state: &[Word]) -> Blocked {
        self.stepper.blocked(&self.state(state))
    }

    /// The stepper has it.
    fn records_edges(&self) -> bool {
        true
    }
}
