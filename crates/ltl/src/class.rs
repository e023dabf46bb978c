//! Classes of automata that cheaper searches decide (Bloem, Ravi and Somenzi 1999; Černá and
//! Pelánek 2003).

use crate::automaton::{Automaton, Edge};
use crate::components::Components;
use crate::cube::Cube;

/// What the accepting cycles of an automaton look like; the first class that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Every accepting component is one state with a `true` self loop: a word is accepted as soon
    /// as a run gets there. The automaton of the negation of a safety property.
    Terminal,
    /// Every cycle is accepting. The automaton of a safety property.
    AllAccepting,
    /// In each component either every cycle is accepting or none is.
    Weak,
    /// Any other.
    Strong,
}

impl Automaton {
    /// The class, read off the components; it is that of the automaton, not the best of all
    /// automata with its language.
    pub fn class(&self) -> Class {
        let components = Components::of(self);
        let accepting = |state: &usize| components.accepting_state(*state);
        let mut all = (0..self.states.len()).filter(accepting);
        if all.all(|state| self.is_universal(state as u32)) {
            return Class::Terminal;
        }
        let missed = self.missed_sets(&components);
        let mixed = components.accepting.iter().zip(missed).any(|(it, missed)| *it && missed != 0);
        let rejecting = self.has_rejecting_cycle(&components);
        match (mixed, rejecting) {
            (true, _) => Class::Strong,
            (false, true) => Class::Weak,
            (false, false) => Class::AllAccepting,
        }
    }

    /// For each state its component, if that accepts. In a weak automaton a run is accepted if it
    /// stays in one of those.
    pub fn accepting_components(&self) -> Vec<Option<u32>> {
        let components = Components::of(self);
        let of = |state: usize| components.accepting_state(state).then_some(components.of[state]);
        (0..self.states.len()).map(of).collect()
    }

    /// Whether the state has nothing but a `true` self loop with all marks: it accepts every word.
    pub fn is_universal(&self, state: u32) -> bool {
        let edges = &self.states[state as usize].edges;
        let all = self.all_marks();
        edges.len() == 1
            && edges[0].label == Cube::TRUE
            && edges[0].target == state
            && edges[0].marks & all == all
    }

    /// For each component, the acceptance sets that a cycle in it misses, as bits.
    pub(crate) fn missed_sets(&self, components: &Components) -> Vec<u64> {
        let mut missed = vec![0; components.accepting.len()];
        for set in 0..self.sets {
            let mut without = self.clone();
            for (from, state) in without.states.iter_mut().enumerate() {
                let misses = |edge: &Edge| edge.marks >> set & 1 == 0;
                state.edges.retain(|edge| components.inner(from, edge) && misses(edge));
            }
            let parts = Components::of(&without);
            for (from, state) in without.states.iter().enumerate() {
                let on_cycle = state.edges.iter().any(|edge| parts.inner(from, edge));
                missed[components.of[from] as usize] |= u64::from(on_cycle) << set;
            }
        }
        missed
    }
}
