//! A system that says with each step which predicates its target has, and in which nothing is an
//! error: a step that ends in one is not there, and a blocked state is as good as any.

use crate::subject::{Boxed, Searchable, Whole};
use engine::Rooms;
use engine::program::Knowledge;
use ltl::Cube;
use std::cell::{Cell, OnceCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use system::{
    Blocked, Budget, Distances, EdgeCoverage, FAR, Letter, Letters, LoopHeads, MARK_OF_NOTE, Parts,
    Scope, StepOutcome, Successors, System, Word,
};

/// A system with marks.
pub(super) struct Marked<'a> {
    inside: Boxed<'a>,
    /// The letters of the states that have each mark.
    marks: Arc<[Cube]>,
    /// The marks somebody looks for.
    open: u32,
    /// Those of them that some step had: nobody goes there any more.
    met: Cell<u32>,
    errors: Errors,
}

/// What steps that end in an error mean.
#[derive(Clone)]
pub(super) struct Errors {
    /// Those that violate an assertion do not belong to the runs that are asked about: nothing
    /// behind them is missed.
    pub(super) violations_forbidden: bool,
    /// Whether some other step ended in an error.
    pub(super) met: Arc<AtomicBool>,
}

impl Errors {
    fn see(&self, outcome: StepOutcome) {
        let is_forbidden =
            self.violations_forbidden && matches!(outcome, StepOutcome::Violation(_));
        self.met.fetch_or(!outcome.enters() && !is_forbidden, Ordering::Relaxed);
    }
}

/// Each of these systems with marks.
pub(super) fn all<'a>(
    systems: Vec<Boxed<'a>>,
    marks: &[Cube],
    open: u32,
    errors: &Errors,
) -> Vec<Boxed<'a>> {
    let marks: Arc<[Cube]> = marks.into();
    let marked = |inside| {
        let (marks, errors) = (Arc::clone(&marks), errors.clone());
        Box::new(Marked { inside, marks, open, met: Cell::new(0), errors }) as Boxed<'a>
    };
    systems.into_iter().map(marked).collect()
}

/// The marks of the initial state.
pub(super) fn at_start(system: &Boxed<'_>, marks: &[Cube]) -> u32 {
    let mut state = vec![0; system.width()];
    system.initial(&mut state);
    system.letters().map_or(0, |letters| of_state(letters, marks, &state))
}

fn of_state(letters: &dyn Letters, marks: &[Cube], state: &[Word]) -> u32 {
    let Some(letter) = letters.letter(state) else { return MARK_OF_NOTE };
    let all = marks.iter().enumerate();
    all.fold(0, |all, (at, cube)| all | u32::from(has(letter, cube)) << at)
}

/// How far a state is from the letters of a cube: what it asks for counts together. Nothing if there is
/// nothing to go by.
fn distance(letters: &dyn Letters, cube: &Cube, state: &[Word]) -> Option<u32> {
    if cube.positive & cube.negative != 0 {
        return Some(FAR);
    }
    if *cube == Cube::TRUE {
        return Some(0);
    }
    let atoms = (0..Letter::BITS as usize).flat_map(|atom| {
        let is_in = |set: Letter| set >> atom & 1 == 1;
        let (present, absent) = (is_in(cube.positive), is_in(cube.negative));
        [(present, true), (absent, false)].map(|(asked, truth)| asked.then_some((atom, truth)))
    });
    let each = atoms.flatten().filter_map(|(atom, truth)| letters.distance(state, atom, truth));
    each.reduce(|all, one| (all + one).min(FAR))
}

/// Whether a letter is one of a cube.
pub(super) fn has(letter: Letter, cube: &Cube) -> bool {
    letter & cube.positive == cube.positive && letter & cube.negative == 0
}

impl Marked<'_> {
    /// How far a state is from the nearest that is still looked for.
    fn nearest(&self, state: &[Word]) -> Option<u32> {
        let letters = self.inside.letters()?;
        let open = self.open & !self.met.get();
        let marks = self.marks.iter().enumerate().filter(|(at, _)| open >> at & 1 == 1);
        marks.filter_map(|(_, cube)| distance(letters, cube, state)).min()
    }
}

impl System for Marked<'_> {
    fn width(&self) -> usize {
        self.inside.width()
    }

    fn identity_words(&self) -> usize {
        self.inside.identity_words()
    }

    fn scope(&self) -> Scope {
        self.inside.scope()
    }

    fn initial(&self, words: &mut [Word]) {
        self.inside.initial(words);
    }

    /// Where nothing changes that a proposition reads, the marks are those of the state itself.
    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool {
        let all = self.inside.successors(state, out, budget);
        if !out.outcomes().is_empty() {
            out.outcomes().iter().for_each(|(_, outcome)| self.errors.see(*outcome));
            out.keep_entering();
        }
        let Some(letters) = self.inside.letters() else { return all };
        let (read, here) = (letters.read_set(), OnceCell::new());
        let of = |state: &[Word]| of_state(letters, &self.marks, state) & self.open;
        out.mark_each(|next| match read {
            Some(read) if read.iter().all(|word| next[*word] == state[*word]) => {
                *here.get_or_init(|| of(state))
            }
            _ => of(next),
        });
        let met = |met, (_, outcome): &(u32, StepOutcome)| match outcome {
            StepOutcome::Marked(marks) => met | marks,
            _ => met,
        };
        self.met.set(out.outcomes().iter().fold(self.met.get(), met));
        all
    }

    fn blocked(&self, _: &[Word]) -> Blocked {
        Blocked::ProperEnd
    }

    fn has_sequences(&self) -> bool {
        self.inside.has_sequences()
    }

    fn edge_coverage(&self) -> Option<&dyn EdgeCoverage> {
        self.inside.edge_coverage()
    }

    fn parts(&self) -> Option<&dyn Parts> {
        self.inside.parts()
    }

    fn distances(&self) -> Option<&dyn Distances> {
        let mut state = vec![0; self.width()];
        self.initial(&mut state);
        let letters = self.inside.letters()?;
        let mut marks = self.marks.iter();
        let has_aim = marks.any(|cube| distance(letters, cube, &state).is_some());
        has_aim.then_some(self as &dyn Distances)
    }

    fn loop_heads(&self) -> Option<&dyn LoopHeads> {
        self.inside.loop_heads()
    }
}

impl Distances for Marked<'_> {
    fn distance(&self, state: &[Word]) -> u32 {
        self.nearest(state).unwrap_or(FAR)
    }
}

impl Searchable for Marked<'_> {
    fn is_too_narrow(&self) -> bool {
        self.inside.is_too_narrow()
    }

    fn needs_long_numbers(&self) -> bool {
        self.inside.needs_long_numbers()
    }

    fn knowledge(&self) -> Option<Knowledge> {
        self.inside.knowledge()
    }

    fn whole(&self, words: &[Word]) -> Whole {
        self.inside.whole(words)
    }

    fn rooms(&self) -> Option<Rooms> {
        self.inside.rooms()
    }
}
