//! Determinisation of terminal automata by the subset construction: a word is accepted as soon as
//! one run reaches a state that accepts everything, so a set of states is all there is to know.

use crate::Class;
use crate::automaton::{Automaton, Edge, State};
use crate::cube::Cube;
use crate::simulation::Simulation;
use std::collections::HashMap;

/// The most states of a deterministic automaton.
const STATES_MAX: usize = 256;

/// The most edges of one of its states.
const EDGES_MAX: usize = 512;

/// A complete and deterministic automaton with the same language, which can observe a run: in each
/// state every letter is in the label of exactly one edge. There is none if the automaton is not
/// terminal, or if it has more than 256 states or a state with more than 512 edges.
pub fn determinise_terminal(automaton: &Automaton) -> Option<Automaton> {
    if automaton.class() != Class::Terminal {
        return None;
    }
    let subsets = Subsets { automaton, simulation: Simulation::of(automaton) };
    let mut order = vec![subsets.reduced(vec![automaton.initial])];
    let mut numbers = HashMap::from([(order[0].clone(), 0)]);
    let mut states = Vec::new();
    while let Some(subset) = order.get(states.len()).cloned() {
        let marks = u64::from(subsets.accepts(&subset));
        let mut edges = Vec::new();
        for (label, targets) in subsets.decide(&subset)? {
            let target = *numbers.entry(targets).or_insert_with_key(|targets| {
                order.push(targets.clone());
                order.len() as u32 - 1
            });
            edges.push(Edge { label, target, marks });
        }
        join(&mut edges);
        states.push(State { edges });
        if order.len() > STATES_MAX {
            return None;
        }
    }
    let mut deterministic = Automaton { states, initial: 0, sets: 1 };
    deterministic.reduce_by_simulation();
    Some(deterministic)
}

impl Automaton {
    /// Whether no two edges of a state read the same letter.
    pub fn is_deterministic(&self) -> bool {
        self.states.iter().all(|state| {
            let labels = state.edges.iter().map(|edge| edge.label).enumerate();
            labels.into_iter().all(|(index, label)| {
                state.edges[..index].iter().all(|other| label.and(other.label).is_none())
            })
        })
    }
}

struct Subsets<'a> {
    automaton: &'a Automaton,
    simulation: Simulation,
}

impl Subsets<'_> {
    /// Whether the set accepts every word.
    fn accepts(&self, subset: &[u32]) -> bool {
        subset.iter().any(|state| self.automaton.is_universal(*state))
    }

    /// The set without states that another of it simulates, in ascending order.
    fn reduced(&self, mut subset: Vec<u32>) -> Vec<u32> {
        subset.sort_unstable();
        subset.dedup();
        let mut index = 0;
        while let Some(&state) = subset.get(index) {
            let simulated = |it: &u32| *it != state && self.simulation.simulated(state, *it);
            if subset.iter().any(simulated) {
                subset.remove(index);
            } else {
                index += 1;
            }
        }
        subset
    }

    /// The successors of a set, decided atom by atom: disjoint labels that cover every letter.
    fn decide(&self, subset: &[u32]) -> Option<Vec<(Cube, Vec<u32>)>> {
        let edges = subset.iter().flat_map(|state| &self.automaton.states[*state as usize].edges);
        let mut waiting = vec![(Cube::TRUE, edges.copied().collect::<Vec<Edge>>())];
        let mut decided = Vec::new();
        while let Some((path, edges)) = waiting.pop() {
            let certain = edges.iter().filter(|edge| edge.label.contains(path));
            let certain = self.reduced(certain.map(|edge| edge.target).collect());
            let Some(atom) = undecided(path, &edges).filter(|_| !self.accepts(&certain)) else {
                decided.push((path, certain));
                continue;
            };
            for literal in
                [Cube { positive: 0, negative: atom }, Cube { positive: atom, negative: 0 }]
            {
                let path = path.and(literal).expect("the atom is undecided");
                let possible = edges.iter().filter(|edge| edge.label.and(path).is_some());
                waiting.push((path, possible.copied().collect()));
            }
            if decided.len() + waiting.len() > EDGES_MAX {
                return None;
            }
        }
        Some(decided)
    }
}

/// The atom that most labels name and the path does not, as a bit.
fn undecided(path: Cube, edges: &[Edge]) -> Option<u64> {
    let count = |bit: u64| edges.iter().filter(|edge| edge.label.atoms() & bit != 0).count();
    let open = (0..64).map(|atom| 1 << atom).filter(|bit| path.atoms() & bit == 0);
    let (most, bit) = open.map(|bit| (count(bit), bit)).rev().max_by_key(|(most, _)| *most)?;
    (most > 0).then_some(bit)
}

/// Joins edges to the same state whose labels differ in the sign of one atom.
fn join(edges: &mut Vec<Edge>) {
    let joined = |a: &Edge, b: &Edge| {
        let same = a.target == b.target && a.label.atoms() == b.label.atoms();
        let differ = a.label.positive ^ b.label.positive;
        (same && differ.count_ones() == 1).then_some(Cube {
            positive: a.label.positive & !differ,
            negative: a.label.negative & !differ,
        })
    };
    let mut index = 0;
    while index < edges.len() {
        let pair = (0..index).find_map(|it| Some((it, joined(&edges[it], &edges[index])?)));
        if let Some((other, label)) = pair {
            edges.remove(index);
            edges[other].label = label;
            index = 0;
        } else {
            index += 1;
        }
    }
}
