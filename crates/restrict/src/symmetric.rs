//! A system whose states are stored by their representatives (Ip and Dill 1996).
//!
//! A state has two halves: its representative, which is its identity, and the state itself, which
//! travels along and alone is executed. Of all states of an orbit the one met first is
//! expanded. So runs are runs of the system inside, and nothing has to be translated back; and a
//! representative need not be a state that can be executed: processes that have ended may leave gaps in it,
//! where others could not stand.
//!
//! Nothing is lost: what a state leads to, a permutation of it leads to as well
//! ([`system::Symmetry`]), and so the search meets every error and every blocked state, up to a
//! permutation. Ample sets may be applied besides (Emerson, Jha and Peled 1997): who is in one is asked of the state
//! itself, and the search asks by identities whether a step leads on.

use std::cell::RefCell;
use system::{
    Blocked, Budget, Candidates, Distances, EdgeCoverage, Independence, Scope, Step, StepKind,
    Successors, Symmetry, System, Transition, Word,
};

/// The system.
pub struct Symmetric<'s> {
    inside: &'s dyn System,
    symmetry: &'s dyn Symmetry,
    /// The steps of a state, with all that is said of them or with nothing.
    steps: RefCell<[Successors; 2]>,
}

impl<'s> Symmetric<'s> {
    /// `inside`, with one state for each orbit; `None` if it has no symmetry.
    pub fn new(inside: &'s dyn System) -> Option<Self> {
        let symmetry = inside.symmetry()?;
        debug_assert_eq!(inside.width(), inside.identity_words(), "no words travel along yet");
        let named = Successors::new(inside.width()).with_last_statements();
        let named = match inside.independence() {
            Some(_) => named.with_transitions(),
            None => named,
        };
        let steps = RefCell::new([named, Successors::unnamed(inside.width())]);
        Some(Self { inside, symmetry, steps })
    }

    fn write(&self, state: &[Word], words: &mut [Word]) {
        let (identity, whole) = words.split_at_mut(self.inside.width());
        identity.copy_from_slice(state);
        whole.copy_from_slice(state);
        self.symmetry.put_in_order(identity);
    }

    fn whole<'w>(&self, words: &'w [Word]) -> &'w [Word] {
        &words[self.inside.width()..]
    }
}

impl System for Symmetric<'_> {
    fn width(&self) -> usize {
        2 * self.inside.width()
    }

    fn identity_words(&self) -> usize {
        self.inside.width()
    }

    fn scope(&self) -> Scope {
        self.inside.scope()
    }

    fn initial(&self, words: &mut [Word]) {
        let mut state = vec![0; self.inside.width()];
        self.inside.initial(&mut state);
        self.write(&state, words);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool {
        let plain = !(out.is_named() || out.has_transitions() || out.has_last_statements());
        let steps = &mut self.steps.borrow_mut()[usize::from(plain)];
        steps.clear();
        let lasted = self.inside.successors(self.whole(state), steps, budget);
        let unnamed = Step::new(0, 0, StepKind::Internal);
        for at in 0..steps.len() {
            let (step, outcome) = match plain {
                true => (unnamed, steps.outcome(at)),
                false => steps.step(at),
            };
            self.write(steps.state(at), out.push(step, state));
            out.set_outcome(outcome);
            if out.has_transitions() {
                out.set_transition(steps.transitions()[at]);
            }
            if let Some(last) = steps.last_statements().get(at) {
                out.set_last_statement(*last);
            }
        }
        lasted
    }

    fn blocked(&self, state: &[Word]) -> Blocked {
        self.inside.blocked(self.whole(state))
    }

    fn edge_coverage(&self) -> Option<&dyn EdgeCoverage> {
        self.inside.edge_coverage()
    }

    fn has_sequences(&self) -> bool {
        self.inside.has_sequences()
    }

    fn independence(&self) -> Option<&dyn Independence> {
        self.inside.independence().map(|_| self as &dyn Independence)
    }

    fn distances(&self) -> Option<&dyn Distances> {
        self.inside.distances().map(|_| self as &dyn Distances)
    }
}

impl Distances for Symmetric<'_> {
    fn distance(&self, state: &[Word]) -> u32 {
        self.inside.distances().map_or(0, |distances| distances.distance(self.whole(state)))
    }
}

impl Independence for Symmetric<'_> {
    fn dependent(&self, one: Transition, other: Transition) -> bool {
        self.inside.independence().is_none_or(|inside| inside.dependent(one, other))
    }

    fn weight(&self, transition: Transition) -> u16 {
        self.inside.independence().map_or(1, |inside| inside.weight(transition))
    }

    fn ample(&self, state: &[Word], batch: &Successors, found: &mut Candidates) {
        if let Some(inside) = self.inside.independence() {
            inside.ample(self.whole(state), batch, found);
        }
    }
}
