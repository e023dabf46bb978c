//! The executor that knows all rules, for states that the packed form gives up.

use super::Form;
use super::convert::{decode, encode};
use super::knowledge::Knowledge;
use crate::program::compiled::{Closures, Refused, compile};
use crate::program::{Executor, bytes};
use ::packed::Slow;
use program::Program;
use program::reference::{Rules, State};
use std::cell::{Cell, RefCell};
use system::{Blocked, Budget, Successors, System, Unlimited, Word};

/// Closures on bytes, and the states of the reference as their words.
pub(super) struct Bytes<'a> {
    pub(super) program: &'a Program,
    rules: Rules,
    pub(super) closures: Closures,
}

impl<'a> Bytes<'a> {
    /// Wide enough for some states and somewhat more.
    ///
    /// # Errors
    /// The closures refuse the program.
    pub(super) fn new(
        program: &'a Program,
        rules: Rules,
        states: &[State],
    ) -> Result<Self, Refused> {
        let words = states.iter().map(|state| bytes::head_words(program, &rules, state));
        let width = words.max().unwrap_or(0);
        // Twice the width is mostly enough for what the next steps create.
        Ok(Self { program, rules, closures: compile(program, rules, width * 2)? })
    }

    /// The same once more.
    pub(super) fn copy(&self) -> Self {
        let closures = compile(self.program, self.rules, self.closures.width());
        // INVARIANT: what was compiled once compiles again.
        let closures = closures.unwrap_or_else(|_| unreachable!("it was compiled before"));
        Self { closures, ..*self }
    }

    /// The state that words of the closures stand for.
    pub(super) fn state(&self, words: &[Word]) -> State {
        bytes::read((self.program, &self.rules), self.closures.identity_words(), words)
    }

    /// The words of a state, if it fits.
    pub(super) fn words(&self, state: &State) -> Option<Vec<Word>> {
        let mut words = vec![0; self.closures.width()];
        let head = self.closures.identity_words();
        bytes::write((self.program, &self.rules), head, state, &mut words).then_some(words)
    }
}

/// Answers for states that the packed form gives up.
pub(super) struct Fallback<'a> {
    form: Form<'a>,
    pub(super) knowledge: RefCell<Knowledge>,
    /// Some state had no room.
    pub(super) too_narrow: Cell<bool>,
    told: RefCell<Told>,
}

/// What the closures had to say, those that became too narrow included.
#[derive(Default)]
pub(super) struct Told {
    pub(super) executed: Vec<Vec<bool>>,
    pub(super) long_numbers: bool,
    pub(super) uncounted: bool,
}

impl Told {
    fn take_in(&mut self, closures: &Closures) {
        let executed = closures.executed();
        self.executed.resize(executed.len(), Vec::new());
        for (all, some) in self.executed.iter_mut().zip(&executed) {
            all.resize(some.len(), false);
            all.iter_mut().zip(some).for_each(|(all, some)| *all |= *some);
        }
        self.long_numbers |= closures.needs_long_numbers();
        self.uncounted |= closures.met_uncounted_error();
    }
}

impl<'a> Fallback<'a> {
    pub(super) fn new(mut form: Form<'a>) -> Self {
        let knowledge = RefCell::new(std::mem::take(&mut form.knowledge));
        let (too_narrow, told) = (Cell::new(false), RefCell::default());
        Self { form, knowledge, too_narrow, told }
    }

    /// What the closures had to say so far.
    pub(super) fn told(&self) -> std::cell::Ref<'_, Told> {
        self.told.borrow_mut().take_in(&self.form.bytes.borrow().closures);
        self.told.borrow()
    }

    /// Whether some state needs longer numbers.
    pub(super) fn needs_long_numbers(&self) -> bool {
        self.told.borrow().long_numbers || self.form.bytes.borrow().closures.needs_long_numbers()
    }

    pub(super) fn form(&self) -> &Form<'a> {
        &self.form
    }

    /// Wider closures, for states like this one.
    fn widen(&self, state: &State) {
        let (program, rules) = (self.form.program, self.form.rules);
        self.told.borrow_mut().take_in(&self.form.bytes.borrow().closures);
        let mut bytes = self.form.bytes.borrow_mut();
        let width = bytes.closures.width() * 2;
        let width = width.max(bytes::head_words(program, &rules, state) * 2);
        // INVARIANT: what was compiled once compiles again.
        if let Ok(closures) = compile(program, rules, width) {
            bytes.closures = closures;
        }
    }

    /// Asks the closures about a state; they are made wider until they can answer.
    /// They answer in part only if patience ends: then there are no steps.
    fn ask(&self, state: &State, budget: &mut dyn Budget) -> (Vec<Word>, Option<Successors>) {
        loop {
            if let Some(words) = self.form.bytes.borrow().words(state) {
                let bytes = self.form.bytes.borrow();
                let mut steps = Successors::new(bytes.closures.width());
                if !bytes.closures.successors(&words, &mut steps, budget) {
                    return (words, None);
                }
                if !bytes.closures.is_too_narrow() {
                    return (words, Some(steps));
                }
            }
            self.widen(state);
        }
    }
}

impl Slow for Fallback<'_> {
    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool {
        let (program, layout) = (self.form.program, &self.form.layout);
        let (_, steps) = self.ask(&decode(program, layout, state), budget);
        let Some(steps) = steps else { return false };
        let bytes = self.form.bytes.borrow();
        for (step, outcome, words) in steps.iter() {
            let next = bytes.state(words);
            let slot = out.push(step, state);
            slot.fill(0);
            if encode(layout, &next, slot).is_some() {
                out.set_outcome(outcome);
                continue;
            }
            // There is no room for it: the whole search is repeated with more.
            out.take_back();
            self.too_narrow.set(true);
            self.knowledge.borrow_mut().be_surprised(program, &self.form.facts, next);
        }
        true
    }

    fn blocked(&self, state: &[Word]) -> Blocked {
        let state = decode(self.form.program, &self.form.layout, state);
        let (words, _) = self.ask(&state, &mut Unlimited);
        self.form.bytes.borrow().closures.blocked(&words)
    }

    /// [`Told`] has it.
    fn records_edges(&self) -> bool {
        true
    }
}
