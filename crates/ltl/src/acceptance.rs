//! Fewer acceptance sets, decided for each component by itself.

use crate::automaton::{Automaton, low_bits};
use crate::components::Components;

/// The marks of edges between components, which no run takes infinitely often.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Between {
    /// None of them.
    Clear,
    /// All of them.
    Fill,
}

impl Automaton {
    /// Gives edges the fewest acceptance sets found. In an accepting component, a set that every
    /// cycle visits is not needed, nor is one that contains another; the others are numbered
    /// anew, and the numbers left over are on all edges inside. A component that rejects has no
    /// marks.
    pub(crate) fn reduce_sets(&mut self, between: Between) {
        let components = Components::of(self);
        let needed = self.needed(&components);
        let rejects = self.has_rejecting_cycle(&components);
        let most = needed.iter().map(|sets| sets.len() as u32).max().unwrap_or(0);
        self.sets = most.max(u32::from(rejects));
        let all = self.all_marks();
        for (from, state) in self.states.iter_mut().enumerate() {
            let component = components.of[from] as usize;
            for edge in &mut state.edges {
                edge.marks = match (components.inner(from, edge), components.accepting[component]) {
                    (false, _) if between == Between::Fill => all,
                    (true, true) => renumbered(edge.marks, &needed[component], all),
                    _ => 0,
                };
            }
        }
    }

    /// Whether a component that rejects has an edge inside.
    pub(crate) fn has_rejecting_cycle(&self, components: &Components) -> bool {
        self.states.iter().enumerate().any(|(from, state)| {
            !components.accepting_state(from)
                && state.edges.iter().any(|edge| components.inner(from, edge))
        })
    }

    /// For each component the sets that decide in it; none if it rejects.
    fn needed(&self, components: &Components) -> Vec<Vec<u32>> {
        let mut marks = vec![Vec::new(); components.accepting.len()];
        for (from, state) in self.states.iter().enumerate() {
            let inner = state.edges.iter().filter(|edge| components.inner(from, edge));
            marks[components.of[from] as usize].extend(inner.map(|edge| edge.marks));
        }
        let missed = self.missed_sets(components);
        let all = components.accepting.iter().zip(missed).zip(&marks);
        all.map(|((accepts, missed), marks)| {
            let sets = (0..self.sets).filter(|set| *accepts && missed >> set & 1 == 1);
            without_supersets(sets.collect(), marks)
        })
        .collect()
    }
}

/// The sets that contain no other of them, given the marks of all edges.
fn without_supersets(mut sets: Vec<u32>, marks: &[u64]) -> Vec<u32> {
    let mut index = 0;
    while let Some(&set) = sets.get(index) {
        let smaller =
            |other: &u32| *other != set && marks.iter().all(|it| it >> other & 1 <= it >> set & 1);
        if sets.iter().any(smaller) {
            sets.remove(index);
        } else {
            index += 1;
        }
    }
    sets
}

/// The marks of the needed sets with their new numbers, and all numbers that are not needed.
fn renumbered(marks: u64, needed: &[u32], all: u64) -> u64 {
    let bits = needed.iter().enumerate().filter(|(_, set)| marks >> **set & 1 == 1);
    let bits = bits.fold(0, |bits, (number, _)| bits | 1 << number);
    bits | all & !low_bits(needed.len() as u32)
}
