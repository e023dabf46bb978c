//! Direct simulation (Dill, Hu and Wong-Toi 1991; for Büchi automata Etessami and Holzmann 2000).
//!
//! A state simulates another if it has, for each letter and edge of the other, an edge that reads
//! the letter, has no fewer marks and leads to a state that simulates the target. Then it accepts
//! every word the other accepts.

use crate::automaton::{Automaton, Edge};
use crate::cube::Cube;

/// Beyond so many edges an automaton is not compared with itself.
const EDGES_MAX: usize = 4_000;

/// After so many comparisons of edges it is given up.
const COMPARISONS_MAX: usize = 20_000_000;

/// Which state simulates which.
pub(crate) struct Simulation {
    states: usize,
    /// At `state * states + by`.
    simulated: Vec<bool>,
}

impl Simulation {
    /// The greatest simulation between the states, or equality if it would take too long.
    pub(crate) fn of(automaton: &Automaton) -> Self {
        let states = automaton.states.len();
        let equality =
            || (0..states * states).map(|it| it / states == it % states).collect::<Vec<_>>();
        if automaton.edge_count() > EDGES_MAX || states > EDGES_MAX / 4 {
            return Self { states, simulated: equality() };
        }
        let mut simulation = Self { states, simulated: vec![true; states * states] };
        let mut comparisons = 0;
        while simulation.refine(automaton, &mut comparisons) {
            if comparisons > COMPARISONS_MAX {
                return Self { states, simulated: equality() };
            }
        }
        simulation
    }

    fn refine(&mut self, automaton: &Automaton, comparisons: &mut usize) -> bool {
        let mut changed = false;
        // Targets mostly have greater numbers; compared first, they settle a chain in one round.
        for state in (0..self.states).rev() {
            for by in (0..self.states).rev() {
                let index = state * self.states + by;
                if !self.simulated[index] {
                    continue;
                }
                let edges = &automaton.states[state].edges;
                let candidates = &automaton.states[by].edges;
                *comparisons += edges.len() * candidates.len();
                let matched = |edge| self.covered(edge, candidates.iter());
                if !edges.iter().all(matched) {
                    self.simulated[index] = false;
                    changed = true;
                }
            }
        }
        changed
    }

    /// Whether the second state simulates the first.
    pub(crate) fn simulated(&self, state: u32, by: u32) -> bool {
        self.simulated[state as usize * self.states + by as usize]
    }

    /// Whether for each letter of an edge one of the others can be taken instead.
    fn covered<'a>(&self, edge: &Edge, others: impl Iterator<Item = &'a Edge>) -> bool {
        let better = others.filter(|other| {
            edge.marks & !other.marks == 0 && self.simulated(edge.target, other.target)
        });
        let labels: Vec<Cube> = better.map(|other| other.label).collect();
        edge.label.covered_by(&labels)
    }
}

impl Automaton {
    /// Merges states that simulate each other, and drops edges that others of their state
    /// cover.
    pub(crate) fn reduce_by_simulation(&mut self) {
        let simulation = Simulation::of(self);
        for state in &mut self.states {
            drop_covered(&mut state.edges, &simulation);
        }
        let equal = |a: u32, b: u32| simulation.simulated(a, b) && simulation.simulated(b, a);
        let class: Vec<u32> = (0..self.states.len() as u32)
            .map(|state| (0..state).find(|first| equal(*first, state)).unwrap_or(state))
            .collect();
        self.merge(&class);
    }
}

fn drop_covered(edges: &mut Vec<Edge>, simulation: &Simulation) {
    let mut index = 0;
    while let Some(edge) = edges.get(index) {
        let others = edges.iter().enumerate().filter(|(other, _)| *other != index);
        if simulation.covered(edge, others.map(|(_, other)| other)) {
            edges.remove(index);
        } else {
            index += 1;
        }
    }
}
