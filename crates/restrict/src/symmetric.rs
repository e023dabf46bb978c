//! A system whose states are stored by their representatives (Ip and Dill 1996).
//!
//! A state is its representative, which is its identity, and the way in which that was made of the state itself:
//! a byte for each process, which travels along. The state itself alone is executed. Of all
//! states of an orbit the one met first is
//! expanded. So runs are runs of the system inside, and nothing has to be translated back; and a
//! representative need not be a state that can be executed: processes that have ended may leave gaps in it,
//! where others could not stand.
//!
//! Nothing is lost: what a state leads to, a permutation of it leads to as well
//! ([`system::Symmetry`]), and so the search meets every error and every blocked state, up to a
//! permutation. Ample sets may be applied besides (Emerson, Jha and Peled 1997): who is in one is asked of the state
//! itself, and the search asks by identities whether a step leads on.

use std::cell::{Cell, RefCell};
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
    /// The state itself.
    state: RefCell<Vec<Word>>,
    stands: Cell<Stands>,
}

/// How many states those of a search stand for.
#[derive(Clone, Copy, Debug, Default)]
struct Stands {
    representatives: u64,
    states: u64,
}

impl<'s> Symmetric<'s> {
    /// `inside`, with one state for each orbit; `None` if it has no symmetry.
    pub fn new(inside: &'s dyn System) -> Option<Self> {
        Some(Self::by(inside, inside.symmetry()?))
    }

    /// The same by another symmetry than what it says of itself.
    pub fn by(inside: &'s dyn System, symmetry: &'s dyn Symmetry) -> Self {
        debug_assert_eq!(inside.width(), inside.identity_words(), "no words travel along yet");
        let named = Successors::new(inside.width()).with_last_statements();
        let named = match inside.independence() {
            Some(_) => named.with_transitions(),
            None => named,
        };
        let steps = RefCell::new([named, Successors::unnamed(inside.width())]);
        let (state, stands) = (RefCell::default(), Cell::default());
        Self { inside, symmetry, steps, state, stands }
    }

    /// How many states one that was met stands for in the mean: those that steps led to,
    /// each as often as they did.
    pub fn states_for_one(&self) -> u64 {
        let Stands { representatives, states } = self.stands.get();
        states / representatives.max(1)
    }

    fn write(&self, state: &[Word], words: &mut [Word]) {
        let (identity, way) = words.split_at_mut(self.inside.width());
        identity.copy_from_slice(state);
        let stands_for = self.symmetry.put_in_order(identity, way);
        let Stands { representatives, states } = self.stands.get();
        let states = states.saturating_add(stands_for);
        self.stands.set(Stands { representatives: representatives + 1, states });
    }

    /// Asks something of the state itself.
    fn with<R>(&self, words: &[Word], ask: impl FnOnce(&[Word]) -> R) -> R {
        let mut state = self.state.take();
        self.read(words, &mut state);
        let answer = ask(&state);
        self.state.replace(state);
        answer
    }

    fn read(&self, words: &[Word], state: &mut Vec<Word>) {
        let (identity, way) = words.split_at(self.inside.width());
        state.clear();
        state.extend_from_slice(identity);
        self.symmetry.put_back(state, way);
    }

    /// The state of the system inside that these words are.
    pub fn state(&self, words: &[Word]) -> Vec<Word> {
        self.with(words, <[Word]>::to_vec)
    }
}

impl System for Symmetric<'_> {
    fn width(&self) -> usize {
        self.inside.width() + self.symmetry.way_words()
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
        let lasted = self.with(state, |state| self.inside.successors(state, steps, budget));
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
        self.with(state, |state| self.inside.blocked(state))
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
        let distances = self.inside.distances();
        distances.map_or(0, |distances| self.with(state, |state| distances.distance(state)))
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
            self.with(state, |state| inside.ample(state, batch, found));
        }
    }
}
