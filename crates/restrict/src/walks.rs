//! Random walks as a system: a state carries the number of its walk and of its step,
//! and from each one step leads on, by lot. All walks begin at the initial state. No two
//! states of walks are the same, so a walk ends only where nothing moves, in an error,
//! or at the depth bound of the search, which must have one and need not remember
//! anything but the current path.

use crate::random::mix;
use std::cell::RefCell;
use system::{Blocked, Budget, Scope, StepOutcome, Successors, System, Word};

/// The system.
pub struct Walks<'s> {
    inside: &'s dyn System,
    seed: u64,
    walks: u32,
    steps: RefCell<Successors>,
}

impl<'s> Walks<'s> {
    /// So many walks through `inside`.
    pub fn new(inside: &'s dyn System, seed: u64, walks: u32) -> Self {
        Self { inside, seed, walks, steps: RefCell::new(Successors::new(inside.width())) }
    }

    /// Appends the step that the walk with this counter takes; one into an error if it
    /// is possible.
    fn follow(&self, steps: &Successors, state: &[Word], counter: Word, out: &mut Successors) {
        let lot = mix(self.seed, counter) % steps.len() as u64;
        let error = (0..steps.len()).find(|index| steps.step(*index).1 != StepOutcome::State);
        let index = error.unwrap_or(lot as usize);
        let (step, outcome) = steps.step(index);
        let words = out.push(step, state);
        words[..steps.state(index).len()].copy_from_slice(steps.state(index));
        words[steps.state(index).len()] = counter + 1;
        out.set_outcome(outcome);
    }
}

/// Bits of the counter for the steps of a walk; the number of the walk stands above.
const STEP_BITS: u32 = 32;

impl System for Walks<'_> {
    fn width(&self) -> usize {
        self.inside.width() + 1
    }

    fn scope(&self) -> Scope {
        Scope::Part.max(self.inside.scope())
    }

    fn initial(&self, words: &mut [Word]) {
        let width = self.inside.width();
        self.inside.initial(&mut words[..width]);
        words[width] = 0;
    }

    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool {
        let steps = &mut *self.steps.borrow_mut();
        steps.clear();
        let (inner, counter) = state.split_at(self.inside.width());
        let whole = self.inside.successors(inner, steps, budget);
        if steps.is_empty() || !whole {
            return whole;
        }
        match counter[0] {
            0 => (1..=Word::from(self.walks))
                .for_each(|walk| self.follow(steps, state, walk << STEP_BITS, out)),
            counter => self.follow(steps, state, counter, out),
        }
        whole
    }

    fn blocked(&self, state: &[Word]) -> Blocked {
        self.inside.blocked(&state[..self.inside.width()])
    }
}
