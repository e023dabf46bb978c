//! Classes of automata that cheaper searches decide (Bloem, Ravi and Somenzi 1999; Černá and
//! Pelánek 2003).

use crate::automaton::{Automaton, Cube};
use crate::components::Components;

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
        if all.all(|state| self.is_universal(state)) {
            return Class::Terminal;
        }
        let weak = self.rejecting_cycles(&components);
        let cyclic = |component: usize| {
            let inside = |state: &usize| components.of[*state] as usize == component;
            let mut states = (0..self.states.len()).filter(inside);
            states
                .any(|state| self.states[state].edges.iter().any(|it| components.inner(state, it)))
        };
        let (mut mixed, mut rejecting) = (false, false);
        for (component, accepts) in components.accepting.iter().enumerate() {
            mixed |= *accepts && weak[component];
            rejecting |= !accepts && cyclic(component);
        }
        match (mixed, rejecting) {
            (true, _) => Class::Strong,
            (false, true) => Class::Weak,
            (false, false) => Class::AllAccepting,
        }
    }

    /// Whether the state is one `true` self loop with all marks: it accepts every word.
    pub(crate) fn is_universal(&self, state: usize) -> bool {
        let edges = &self.states[state].edges;
        let all = self.all_marks();
        edges.len() == 1
            && edges[0].label == Cube::TRUE
            && edges[0].target as usize == state
            && edges[0].marks & all == all
    }

    /// Which components have a cycle that misses an acceptance set.
    pub(crate) fn rejecting_cycles(&self, components: &Components) -> Vec<bool> {
        let mut missing = vec![false; components.accepting.len()];
        for set in 0..self.sets {
            let without = self.inner_edges(components, |marks| marks >> set & 1 == 0);
            let parts = Components::of(&without);
            for (from, state) in without.states.iter().enumerate() {
                let on_cycle = state.edges.iter().any(|edge| parts.inner(from, edge));
                missing[components.of[from] as usize] |= on_cycle;
            }
        }
        missing
    }

    /// The automaton with those edges only that stay in their component and whose marks are
    /// chosen.
    fn inner_edges(&self, components: &Components, chosen: impl Fn(u64) -> bool) -> Automaton {
        let mut part = self.clone();
        for (from, state) in part.states.iter_mut().enumerate() {
            state.edges.retain(|edge| components.inner(from, edge) && chosen(edge.marks));
        }
        part
    }
}
