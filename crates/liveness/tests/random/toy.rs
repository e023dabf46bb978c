//! Toy systems: a graph with letters and sets of processes on its edges.

use ltl::{Automaton, Cube, Edge, State};
use system::{
    Blocked, Budget, Letter, Letters, Participants, Processes, Step, StepKind, Successors, System,
    Transition, Word,
};
use testkit::Random;

/// The most states a system has.
const STATES_MAX: usize = 12;

/// A state, and where its edges lead.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) letter: Letter,
    pub(crate) edges: Vec<(usize, Processes)>,
}

/// A system.
#[derive(Clone, Debug)]
pub(crate) struct Toy {
    pub(crate) places: Vec<Place>,
    /// Whether its transitions are known by number; else one has to ask state by state.
    numbered: bool,
}

impl Toy {
    pub(crate) fn random(random: &mut Random) -> Self {
        let count = random.between(1, STATES_MAX);
        let places = (0..count).map(|_| {
            let degree = random.weighted(&[(10, 0), (45, 1), (30, 2), (15, 3)]);
            let mut edges: Vec<(usize, Processes)> =
                (0..degree).map(|_| (random.below(count), processes(random))).collect();
            if degree == 2 && random.chance(20) {
                // Beside it, by somebody else.
                edges.push((edges[0].0, processes(random)));
            }
            Place { letter: random.below(8), edges }
        });
        Self { places: places.collect(), numbered: random.chance(50) }
    }

    /// The edges of a state; one that has none stutters.
    pub(crate) fn runs_on(&self, place: usize) -> Vec<(usize, Processes)> {
        let edges = &self.places[place].edges;
        if edges.is_empty() { vec![(place, 0)] } else { edges.clone() }
    }

    pub(crate) fn enabled(&self, place: usize) -> Processes {
        self.places[place].edges.iter().fold(0, |all, edge| all | edge.1)
    }
}

/// Who takes part in an edge: mostly one process.
fn processes(random: &mut Random) -> Processes {
    if random.chance(80) {
        1 << random.below(3_u32)
    } else {
        1 + Processes::from(random.below(7_u64))
    }
}

impl System for Toy {
    fn width(&self) -> usize {
        1
    }

    fn initial(&self, words: &mut [Word]) {
        words[0] = 0;
    }

    fn successors(&self, state: &[Word], out: &mut Successors, _: &mut dyn Budget) -> bool {
        for (at, (to, _)) in self.places[state[0] as usize].edges.iter().enumerate() {
            let step = Step::new(state[0] as u32, at as u32, StepKind::Internal);
            out.push(step, state)[0] = *to as Word;
            out.set_transition(Transition(8 * step.agent + step.edge));
        }
        true
    }

    fn blocked(&self, _: &[Word]) -> Blocked {
        Blocked::ProperEnd
    }

    fn letters(&self) -> Option<&dyn Letters> {
        Some(self)
    }

    fn participants(&self) -> Option<&dyn Participants> {
        Some(self)
    }
}

impl Letters for Toy {
    fn letter(&self, state: &[Word]) -> Option<Letter> {
        Some(self.places[state[0] as usize].letter)
    }
}

impl Participants for Toy {
    fn of_transition(&self, transition: Transition) -> Option<Processes> {
        let (place, edge) = (transition.0 as usize / 8, transition.0 as usize % 8);
        self.numbered.then(|| self.places[place].edges[edge].1)
    }

    fn of_steps(&self, state: &[Word]) -> Option<Vec<Processes>> {
        Some(self.places[state[0] as usize].edges.iter().map(|edge| edge.1).collect())
    }
}

/// An automaton of no formula in particular.
pub(crate) fn random_automaton(random: &mut Random) -> Automaton {
    let (count, sets) = (random.between(1, 4), random.below(4_u32));
    let states = (0..count).map(|_| {
        let edges = (0..random.between(0, 4)).map(|_| Edge {
            label: random_cube(random),
            target: random.below(count) as u32,
            marks: random.below(1_u64 << sets) | random.below(1_u64 << sets),
        });
        State { edges: edges.collect() }
    });
    Automaton { states: states.collect(), initial: 0, sets }
}

/// Few literals, sometimes both of one atom.
fn random_cube(random: &mut Random) -> Cube {
    let mut side = || random.below(8_u64) & random.below(8_u64) & random.below(8_u64);
    Cube { positive: side(), negative: side() }
}
