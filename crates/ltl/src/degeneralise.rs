//! Degeneralisation: a state-based Büchi automaton for a search that knows one acceptance set
//! (Gastin and Oddoux 2001).
//!
//! A state of the result is a state and a level, the number of acceptance sets seen since
//! the last accepting level. One edge can pass several sets. Levels are counted only inside
//! accepting components with a cycle that misses a set.

use crate::automaton::{Automaton, Edge, State};
use crate::components::Components;
use std::collections::HashMap;

/// A state-based Büchi automaton: accepts a word if it has a run on it that visits accepting
/// states infinitely often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buchi {
    /// The states; the marks of edges are empty.
    pub states: Vec<State>,
    /// Where every run starts.
    pub initial: u32,
    /// Which states are accepting.
    pub accepting: Vec<bool>,
}

/// The smallest state-based automaton found with the same language: for each order of up to
/// three acceptance sets, entering components at the lowest and at the highest level.
pub fn degeneralise(automaton: &Automaton) -> Buchi {
    let components = Components::of(automaton);
    let mut best: Option<Buchi> = None;
    for order in orders(automaton.sets) {
        for entry in [0, order.len() as u32] {
            let levels = Levels { automaton, components: &components, order: &order, entry };
            let mut candidate = levels.unfold();
            candidate.reduce();
            let size = |it: &Buchi| (it.states.len(), it.edge_count());
            if best.as_ref().is_none_or(|best| size(&candidate) < size(best)) {
                best = Some(candidate);
            }
        }
    }
    best.expect("there is an order of the sets")
}

/// All orders of up to three sets, the given order of more.
fn orders(sets: u32) -> Vec<Vec<u32>> {
    match sets {
        2 => vec![vec![0, 1], vec![1, 0]],
        3 => [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
            .map(Vec::from)
            .to_vec(),
        _ => vec![(0..sets).collect()],
    }
}

struct Levels<'a> {
    automaton: &'a Automaton,
    components: &'a Components,
    order: &'a [u32],
    /// The level at which a component is entered.
    entry: u32,
}

impl Levels<'_> {
    fn unfold(&self) -> Buchi {
        let mut order = vec![(self.automaton.initial, self.enter(self.automaton.initial))];
        let mut numbers = HashMap::from([(order[0], 0)]);
        let mut states = Vec::new();
        while let Some(&(state, level)) = order.get(states.len()) {
            let mut edges = self.automaton.states[state as usize].edges.clone();
            for edge in &mut edges {
                let pair = (edge.target, self.after(state, level, edge));
                edge.marks = 0;
                edge.target = *numbers.entry(pair).or_insert_with(|| {
                    order.push(pair);
                    order.len() as u32 - 1
                });
            }
            states.push(State { edges });
        }
        let last = self.order.len() as u32;
        let accepts = |(state, level): &(u32, u32)| {
            *level == last && self.components.accepting_state(*state as usize)
        };
        Buchi { states, initial: 0, accepting: order.iter().map(accepts).collect() }
    }

    /// The level at which a state is entered from outside its component.
    fn enter(&self, state: u32) -> u32 {
        if self.components.accepting_state(state as usize) { self.entry } else { 0 }
    }

    /// The level after an edge.
    fn after(&self, from: u32, level: u32, edge: &Edge) -> u32 {
        if !self.components.inner(from as usize, edge) {
            return self.enter(edge.target);
        }
        if !self.components.accepting_state(from as usize) {
            return 0;
        }
        let last = self.order.len() as u32;
        let start = if level == last { 0 } else { level };
        let rest = self.order[start as usize..].iter();
        start + rest.take_while(|set| edge.marks >> **set & 1 == 1).count() as u32
    }
}

impl Buchi {
    /// The number of edges.
    pub fn edge_count(&self) -> usize {
        self.states.iter().map(|state| state.edges.len()).sum()
    }

    /// The same automaton with the acceptance on edges: those that leave accepting states.
    pub fn transition_based(&self) -> Automaton {
        let mut states = self.states.clone();
        for (state, accepting) in states.iter_mut().zip(&self.accepting) {
            state.edges.iter_mut().for_each(|edge| edge.marks = u64::from(*accepting));
        }
        Automaton { states, initial: self.initial, sets: 1 }
    }

    /// Makes the automaton smaller; its language stays.
    fn reduce(&mut self) {
        loop {
            let before = (self.states.len(), self.edge_count());
            for transient in [false, true] {
                self.settle(transient);
                let mut marked = self.transition_based();
                marked.reduce_by_simulation();
                marked.remove_useless();
                *self = Buchi::state_based(marked);
            }
            if (self.states.len(), self.edge_count()) == before {
                break;
            }
        }
        self.settle(false);
    }

    /// The reverse of `transition_based`; the edges of a state all have the same marks.
    fn state_based(mut automaton: Automaton) -> Buchi {
        let marked = |state: &State| state.edges.first().is_some_and(|edge| edge.marks != 0);
        let accepting = automaton.states.iter().map(marked).collect();
        for edge in automaton.states.iter_mut().flat_map(|state| &mut state.edges) {
            edge.marks = 0;
        }
        Buchi { states: automaton.states, initial: automaton.initial, accepting }
    }

    /// Makes whole components accepting if every cycle in them is, and none of their states if
    /// no cycle is; states on no cycle are `transient`.
    fn settle(&mut self, transient: bool) {
        let automaton = self.transition_based();
        let components = Components::of(&automaton);
        let missed = automaton.missed_sets(&components);
        let mut size = vec![0; components.accepting.len()];
        components.of.iter().for_each(|component| size[*component as usize] += 1);
        for state in 0..self.states.len() {
            let component = components.of[state] as usize;
            let mut edges = self.states[state].edges.iter();
            let cyclic = size[component] > 1 || edges.any(|edge| components.inner(state, edge));
            self.accepting[state] = match (cyclic, components.accepting[component]) {
                (false, _) => transient,
                (true, false) => false,
                (true, true) => missed[component] == 0 || self.accepting[state],
            };
        }
    }
}
