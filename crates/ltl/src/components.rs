//! Strongly connected components of an automaton (Tarjan 1972), with an explicit stack.

use crate::automaton::{Automaton, Edge};

/// The components of an automaton, and which of them accept.
pub(crate) struct Components {
    /// The component of each state. A component has a greater number than those it leads to.
    pub(crate) of: Vec<u32>,
    /// Which components have inner edges that together carry all marks.
    pub(crate) accepting: Vec<bool>,
}

impl Components {
    /// The components of all states.
    pub(crate) fn of(automaton: &Automaton) -> Self {
        let of = Tarjan::run(automaton);
        let count = of.iter().max().map_or(0, |last| last + 1) as usize;
        let mut marks = vec![None; count];
        for (from, state) in automaton.states.iter().enumerate() {
            for edge in state.edges.iter().filter(|edge| of[edge.target as usize] == of[from]) {
                *marks[of[from] as usize].get_or_insert(0) |= edge.marks;
            }
        }
        let all = automaton.all_marks();
        let accepting = marks.into_iter().map(|marks| marks.is_some_and(|it| it & all == all));
        Self { of, accepting: accepting.collect() }
    }

    /// Whether an edge from the state stays in its component.
    pub(crate) fn inner(&self, from: usize, edge: &Edge) -> bool {
        self.of[from] == self.of[edge.target as usize]
    }

    /// Whether the component of the state accepts.
    pub(crate) fn accepting_state(&self, state: usize) -> bool {
        self.accepting[self.of[state] as usize]
    }
}

const NONE: u32 = u32::MAX;

struct Tarjan {
    /// When each state was found, and the oldest state on the stack it is known to reach.
    found: Vec<u32>,
    low: Vec<u32>,
    component: Vec<u32>,
    stack: Vec<u32>,
    components: u32,
}

impl Tarjan {
    fn run(automaton: &Automaton) -> Vec<u32> {
        let count = automaton.states.len();
        let none = vec![NONE; count];
        let mut search = Self {
            found: none.clone(),
            low: none.clone(),
            component: none,
            stack: vec![],
            components: 0,
        };
        let mut time = 0;
        for root in 0..count as u32 {
            if search.found[root as usize] == NONE {
                search.visit(automaton, root, &mut time);
            }
        }
        search.component
    }

    fn visit(&mut self, automaton: &Automaton, root: u32, time: &mut u32) {
        let mut path = vec![(root, 0)];
        self.enter(root, time);
        while let Some((state, next)) = path.last_mut() {
            let state = *state as usize;
            if let Some(edge) = automaton.states[state].edges.get(*next) {
                *next += 1;
                let target = edge.target as usize;
                if self.found[target] == NONE {
                    self.enter(edge.target, time);
                    path.push((edge.target, 0));
                } else if self.component[target] == NONE {
                    self.low[state] = self.low[state].min(self.found[target]);
                }
            } else {
                path.pop();
                self.leave(state);
                if let Some((parent, _)) = path.last() {
                    let parent = *parent as usize;
                    self.low[parent] = self.low[parent].min(self.low[state]);
                }
            }
        }
    }

    fn enter(&mut self, state: u32, time: &mut u32) {
        self.found[state as usize] = *time;
        self.low[state as usize] = *time;
        *time += 1;
        self.stack.push(state);
    }

    /// If the state is the oldest of its component, everything above it on the stack is that
    /// component.
    fn leave(&mut self, state: usize) {
        if self.low[state] != self.found[state] {
            return;
        }
        while let Some(member) = self.stack.pop() {
            self.component[member as usize] = self.components;
            if member as usize == state {
                break;
            }
        }
        self.components += 1;
    }
}
