//! Programs run by the reference interpreter, their states written as bytes.
//!
//! A program creates processes and channels while it runs, a system's states have one width.
//! So each value is as wide as its type, and the whole padded to a width; a state that does
//! not fit is noticed ([`Executor::is_too_narrow`]) and the caller starts again with a wider
//! system. Lengths come before contents, so that equal words are equal states.

use super::anatomy::LocalLocations;
use super::stepper::Stepper;
use super::{Executor, bytes, head, local};
use program::reference::{self, Failure, Rules, State};
use program::{Expr, Program};
use std::cell::Cell;
use system::{
    Blocked, Budget, Independence, Letter, Letters, Participants, Parts, Processes, Successors,
    System, Transition, Word,
};

/// A program run by the reference interpreter.
pub struct ReferenceProgram<'a> {
    stepper: Stepper<'a>,
    initial: State,
    /// Identity words, and words that travel along.
    head: usize,
    tail: usize,
    too_narrow: Cell<bool>,
    pub(super) local: LocalLocations,
    /// The propositions whose letters it tells.
    atoms: Vec<Expr>,
}

impl<'a> ReferenceProgram<'a> {
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
            local: local(program, &rules),
            stepper: Stepper::new(program, rules),
            atoms: Vec::new(),
        })
    }

    /// With atomic propositions.
    pub fn with_atoms(self, atoms: &[Expr]) -> Self {
        Self { atoms: atoms.to_vec(), ..self }
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

impl Executor for ReferenceProgram<'_> {
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

impl System for ReferenceProgram<'_> {
    fn width(&self) -> usize {
        self.head + self.tail
    }

    fn identity_words(&self) -> usize {
        self.head
    }

    fn initial(&self, words: &mut [Word]) {
        if !self.write(&self.initial, words) {
            self.too_narrow.set(true);
        }
    }

    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool {
        self.stepper.steps(&self.state(state), budget, |next| {
            let words = out.push(next.step, state);
            words.fill(0);
            // What does not fit cannot be read back: it is left out, and the whole
            // search is repeated anyway.
            if self.write(&next.state, words) {
                out.set_outcome(next.outcome);
                out.set_transition(Transition(0));
                out.set_last_statement(next.last_statement);
            } else {
                self.too_narrow.set(true);
                out.take_back();
            }
        })
    }

    fn blocked(&self, state: &[Word]) -> Blocked {
        self.stepper.blocked(&self.state(state))
    }

    fn has_sequences(&self) -> bool {
        true
    }

    fn independence(&self) -> Option<&dyn Independence> {
        Some(self)
    }

    fn parts(&self) -> Option<&dyn Parts> {
        Some(self)
    }

    fn letters(&self) -> Option<&dyn Letters> {
        Some(self)
    }

    fn participants(&self) -> Option<&dyn Participants> {
        Some(self)
    }
}

impl Letters for ReferenceProgram<'_> {
    fn letter(&self, state: &[Word]) -> Option<Letter> {
        let (state, Stepper { program, rules, .. }) = (self.state(state), &self.stepper);
        self.atoms.iter().enumerate().try_fold(0, |letter, (at, atom)| {
            let holds = reference::holds(program, rules, &state, atom).ok()?;
            Some(letter | Letter::from(holds) << at)
        })
    }
}

impl Participants for ReferenceProgram<'_> {
    fn of_transition(&self, _: Transition) -> Option<Processes> {
        None
    }

    fn of_steps(&self, state: &[Word]) -> Option<Vec<Processes>> {
        self.stepper.participants(&self.state(state))
    }
}

/// What its steps access is not known, so each depends on all others.
impl Independence for ReferenceProgram<'_> {
    fn dependent(&self, _: Transition, _: Transition) -> bool {
        true
    }
}
