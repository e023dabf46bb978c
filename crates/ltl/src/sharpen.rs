//! Disjoint labels: fewer runs on the same word, so fewer states of a product.

use crate::automaton::Automaton;
use crate::simulation::Simulation;

impl Automaton {
    /// Takes from a label the letters that an edge to a simulating state reads, where what
    /// remains is a cube. With `[]a` next to `a && b` to a state that accepts everything, the loop
    /// then reads `a && !b`.
    pub(crate) fn sharpen(&mut self) {
        let simulation = Simulation::of(self);
        for state in &mut self.states {
            for index in 0..state.edges.len() {
                let edge = state.edges[index];
                for other in 0..state.edges.len() {
                    let better = state.edges[other];
                    let strictly = simulation.simulated(edge.target, better.target)
                        && !simulation.simulated(better.target, edge.target);
                    if strictly && edge.marks & !better.marks == 0 {
                        let label = &mut state.edges[index].label;
                        *label = label.without(better.label).unwrap_or(*label);
                    }
                }
            }
        }
    }
}
