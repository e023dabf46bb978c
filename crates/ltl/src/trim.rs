//! Trimming: states that take part in no accepting run go, equal states become one.

use crate::automaton::{Automaton, Edge, State};
use crate::components::Components;
use std::collections::HashMap;

impl Automaton {
    /// Removes states that are not reached or reach no accepting component, and numbers the rest
    /// in the order in which they are found from the initial state.
    pub(crate) fn remove_useless(&mut self) {
        let useful = self.useful();
        let mut order = vec![self.initial];
        let mut numbers = HashMap::from([(self.initial, 0)]);
        let mut states = Vec::new();
        while let Some(&old) = order.get(states.len()) {
            let mut edges = self.states[old as usize].edges.clone();
            edges.retain(|edge| useful[edge.target as usize]);
            for edge in &mut edges {
                edge.target = *numbers.entry(edge.target).or_insert_with_key(|target| {
                    order.push(*target);
                    order.len() as u32 - 1
                });
            }
            states.push(State { edges });
        }
        self.states = states;
        self.initial = 0;
    }

    /// Which states reach an accepting component.
    fn useful(&self) -> Vec<bool> {
        let components = Components::of(self);
        let mut useful = components.accepting.clone();
        // Components are numbered after those they lead to.
        let mut order: Vec<usize> = (0..self.states.len()).collect();
        order.sort_unstable_by_key(|state| components.of[*state]);
        for state in order {
            let targets = self.states[state].edges.iter();
            let any = targets.map(|edge| components.of[edge.target as usize] as usize);
            if any.into_iter().any(|component| useful[component]) {
                useful[components.of[state] as usize] = true;
            }
        }
        components.of.iter().map(|component| useful[*component as usize]).collect()
    }

    /// Merges states with the same edges until there are none.
    pub(crate) fn merge_equal(&mut self) {
        loop {
            let mut first: HashMap<Vec<Edge>, u32> = HashMap::new();
            let mut class = Vec::new();
            for (number, state) in self.states.iter_mut().enumerate() {
                state.edges.sort_unstable();
                state.edges.dedup();
                class.push(*first.entry(state.edges.clone()).or_insert(number as u32));
            }
            if first.len() == self.states.len() {
                return;
            }
            self.merge(&class);
        }
    }

    /// Makes each state the one of its class that `class` names, with the edges of that state.
    pub(crate) fn merge(&mut self, class: &[u32]) {
        let kept = |state: &usize| class[*state] as usize == *state;
        let mut numbers = vec![0; self.states.len()];
        for (number, state) in (0..self.states.len()).filter(kept).enumerate() {
            numbers[state] = number as u32;
        }
        let number = |state: u32| numbers[class[state as usize] as usize];
        let states = std::mem::take(&mut self.states).into_iter().enumerate();
        self.states = states.filter(|(state, _)| kept(state)).map(|(_, state)| state).collect();
        for edge in self.states.iter_mut().flat_map(|state| &mut state.edges) {
            edge.target = number(edge.target);
        }
        self.initial = number(self.initial);
    }
}
