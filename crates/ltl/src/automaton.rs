//! Transition-based generalised Büchi automata (TGBA).

use crate::components::Components;
use crate::cube::Cube;
use std::collections::HashMap;

/// An edge: reads a letter of its label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// The letters it reads.
    pub label: Cube,
    /// The state it leads to.
    pub target: u32,
    /// The acceptance sets it belongs to, as bits.
    pub marks: u64,
}

/// A state of an automaton: nothing but its edges.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    /// The edges that leave it.
    pub edges: Vec<Edge>,
}

/// An automaton that accepts an infinite word if it has a run on it that takes, for each of the
/// acceptance sets, infinitely many edges of that set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// The states.
    pub states: Vec<State>,
    /// Where every run starts.
    pub initial: u32,
    /// The number of acceptance sets, at most 64.
    pub sets: u32,
}

impl Automaton {
    /// The marks of all acceptance sets.
    pub fn all_marks(&self) -> u64 {
        low_bits(self.sets)
    }

    /// The number of edges.
    pub fn edge_count(&self) -> usize {
        self.states.iter().map(|state| state.edges.len()).sum()
    }

    /// The atoms that labels name, as bits.
    pub fn atoms(&self) -> u64 {
        self.states.iter().flat_map(|it| &it.edges).fold(0, |all, edge| all | edge.label.atoms())
    }

    /// Whether no word is accepted: no accepting component can be reached.
    pub fn is_empty_language(&self) -> bool {
        let components = Components::of(self);
        let reached = self.reached();
        !(0..self.states.len()).any(|state| reached[state] && components.accepting_state(state))
    }

    /// The states that can be reached from the initial one.
    pub(crate) fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.states.len()];
        let mut waiting = vec![self.initial];
        while let Some(state) = waiting.pop() {
            if !std::mem::replace(&mut reached[state as usize], true) {
                waiting.extend(self.states[state as usize].edges.iter().map(|edge| edge.target));
            }
        }
        reached
    }

    /// The automaton of the words that both accept; none if it needs more than 64 acceptance
    /// sets.
    pub fn product(&self, other: &Automaton) -> Option<Automaton> {
        let sets = self.sets + other.sets;
        if sets > 64 {
            return None;
        }
        let mut pairs = vec![(self.initial, other.initial)];
        let mut numbers = HashMap::from([(pairs[0], 0)]);
        let mut states = Vec::new();
        while let Some(&(left, right)) = pairs.get(states.len()) {
            let mut edges = Vec::new();
            for a in &self.states[left as usize].edges {
                for b in &other.states[right as usize].edges {
                    let Some(label) = a.label.and(b.label) else { continue };
                    let pair = (a.target, b.target);
                    let target = *numbers.entry(pair).or_insert_with(|| {
                        pairs.push(pair);
                        pairs.len() as u32 - 1
                    });
                    let high = if self.sets == 64 { 0 } else { b.marks << self.sets };
                    edges.push(Edge { label, target, marks: a.marks | high });
                }
            }
            states.push(State { edges });
        }
        Some(Automaton { states, initial: 0, sets })
    }
}

/// The lowest `count` bits.
pub(crate) fn low_bits(count: u32) -> u64 {
    u64::MAX.checked_shr(64 - count).unwrap_or(0)
}
