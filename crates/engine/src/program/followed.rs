//! Programs run by the reference interpreter, their states written as bytes.
//!
//! A program creates processes and channels while it runs, a system's states have one width.
//! So each value is as wide as its type, and the whole padded to a width; a state that does
//! not fit is noticed ([`Executor::is_too_narrow`]) and the caller starts again with a wider
//! system. Lengths come before contents, so that equal words are equal states.

use super::anatomy::Inward;
use super::stepper::Stepper;
use super::{Executor, bytes, head, inward};
use program::Program;
use program::reference::{self, Failure, Rules, State};
use std::cell::Cell;
use system::{Endless, Patience, Rest, Successors, System, Word};

/// A program run by the reference interpreter.
pub struct Followed<'a> {
    stepper: Stepper<'a>,
    initial: State,
    /// Words that tell states apart, and words that travel along.
    head: usize,
    tail: usize,
    too_narrow: Cell<bool>,
    pub(super) inward: Inward,
}

impl<'a> Followed<'a> {
    /// The system of `program`, with states of at least `width` words.
    ///
    /// # Errors
    /// The initial values of the program fail.
    pub fn new(program: &'a Program, rules: Rules, width: usize) -> Result<Self, Failure> {
        let initial = reference::initial(program, &rules)?;
        Ok(Self {
            head: head(program, &rules, &initial, width),
            tail: bytes::tail_words(program, &rules),
            initial,
            too_narrow: Cell::new(false),
            inward: inward(program, &rules),
            stepper: Stepper::new(program, rules),
        })
    }

    pub(super) fn program(&self) -> &'a Program {
        self.stepper.program
    }

    /// The state these words stand for.
    pub fn state(&self, words: &[Word]) -> State {
        bytes::read((self.stepper.program, &self.stepper.rules), self.head, words)
    }

    /// Writes a state into zeroed words; says whether it fits.
    pub(super) fn write(&self, state: &State, words: &mut [Word]) -> bool {
        bytes::write((self.stepper.program, &self.stepper.rules), self.head, state, words)
    }
}

impl Executor for Followed<'_> {
    fn is_too_narrow(&self) -> bool {
        self.too_narrow.get()
    }

    fn needs_long_numbers(&self) -> bool {
        self.stepper.needs_long_numbers()
    }

    fn met_uncounted_error(&self) -> bool {
        self.stepper.met_uncounted_error()
    }

    fn executed(&self) -> Vec<Vec<bool>> {
        self.stepper.executed()
    }
}

impl System for Followed<'_> {
    fn width(&self) -> usize {
        self.head + self.tail
    }

    fn telling(&self) -> usize {
        self.head
    }

    fn initial(&self, words: &mut [Word]) {
        if !self.write(&self.initial, words) {
            self.too_narrow.set(true);
        }
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
        self.stepper.steps(&self.state(state), patience, |step, landing, next| {
            let words = out.push(step, state);
            words.fill(0);
            // What does not fit cannot be read back: it is left out, and the whole
            // search is repeated anyway.
            if self.write(&next, words) {
                out.land(landing);
            } else {
                self.too_narrow.set(true);
                out.take_back();
            }
        })
    }

    fn rest(&self, state: &[Word]) -> Rest {
        self.stepper.rest(&self.state(state))
    }

    /// Every location may start a loop; a finer answer is for `--store labelled`,
    /// which programs do not offer.
    fn labelled(&self, _: &[Word]) -> bool {
        true
    }
}
