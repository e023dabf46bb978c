//! Counterexamples: a way into an accepting component and a tour through it, both short.

use crate::Fairness;
use crate::product::{Node, Product, Step};
use crate::reach::{Nodes, Taken, shortest};
use ltl::Automaton;
use system::Processes;

/// For the shortest cycle so many edges that it may go through are tried.
const CYCLES_TRIED: usize = 64;

/// An edge of the graph with the state it leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The state.
    pub state: u32,
    /// The number of the edge.
    pub number: usize,
}

/// A run: the prefix, and the cycle that repeats for ever behind it. Without a cycle the prefix
/// is bad whatever follows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lasso {
    /// From the initial state on.
    pub prefix: Vec<Edge>,
    /// From where the prefix leads, back to there.
    pub cycle: Vec<Edge>,
}

/// A shortest run that a terminal automaton accepts, whatever follows: up to the state whose
/// letter is the last one needed.
pub(crate) fn bad_prefix(product: &Product<'_>, automaton: &Automaton) -> Option<Lasso> {
    let accepts = |node: Node| is_accepting_sink(automaton, product.automaton_state(node));
    if accepts(product.initial) {
        return Some(Lasso::default());
    }
    let mut way = shortest(product, product.initial, None, |_, step: &Step| accepts(step.to))?;
    way.pop();
    Some(Lasso { prefix: edges(product, &way), cycle: Vec::new() })
}

/// Whether an automaton in this state accepts whatever comes.
fn is_accepting_sink(automaton: &Automaton, state: u32) -> bool {
    let all = automaton.all_marks();
    let edges = &automaton.states[state as usize].edges;
    edges
        .iter()
        .any(|edge| edge.target == state && edge.label == ltl::Cube::default() && edge.marks == all)
}

/// A run into the component of these nodes and through it for ever.
pub(crate) fn lasso(product: &Product<'_>, fairness: Fairness, members: &[Node]) -> Lasso {
    let inside = Nodes::of(product, members);
    let mut prefix = Vec::new();
    if !inside.has(product.initial) {
        let enters = |_: Node, step: &Step| inside.has(step.to);
        prefix = shortest(product, product.initial, None, enters).unwrap_or_default();
    }
    let entry = prefix.last().map_or(product.initial, |taken: &Taken| taken.step.to);
    let component = Component { product, inside: &inside };
    let cycle = if fairness == Fairness::None && product.full.count_ones() <= 1 {
        let (way, cycle) = component.cycle(entry);
        prefix.extend(way);
        cycle
    } else {
        component.tour(entry, fairness, members)
    };
    Lasso { prefix: edges(product, &prefix), cycle: edges(product, &cycle) }
}

fn edges(product: &Product<'_>, way: &[Taken]) -> Vec<Edge> {
    let edge = |taken: &Taken| Edge { state: product.state(taken.from), number: taken.step.edge };
    way.iter().map(edge).collect()
}

struct Component<'a> {
    product: &'a Product<'a>,
    inside: &'a Nodes,
}

impl Component<'_> {
    fn way(&self, from: Node, wanted: impl Fn(Node, &Step) -> bool) -> Vec<Taken> {
        // Every node of a component leads to every other.
        shortest(self.product, from, Some(self.inside), wanted).unwrap_or_default()
    }

    /// A short cycle with an edge of the only acceptance set, and the way to it. The accepting
    /// edges nearest to the entry are tried in turn.
    fn cycle(&self, entry: Node) -> (Vec<Taken>, Vec<Taken>) {
        let mut best: Option<(Vec<Taken>, Vec<Taken>)> = None;
        for (tried, (way, accepting)) in self.accepting_edges(entry).into_iter().enumerate() {
            let length = best.as_ref().map_or(usize::MAX, |(way, cycle)| way.len() + cycle.len());
            if tried > 0 && way.len() + 1 >= length {
                break;
            }
            let mut cycle = vec![accepting];
            if accepting.step.to != accepting.from {
                cycle.extend(self.way(accepting.step.to, |_, step| step.to == accepting.from));
            }
            if way.len() + cycle.len() < length {
                best = Some((way, cycle));
            }
        }
        best.unwrap_or_default()
    }

    /// The accepting edges nearest to a node, each with a way to it.
    fn accepting_edges(&self, entry: Node) -> Vec<(Vec<Taken>, Taken)> {
        let mut found: Vec<(Vec<Taken>, Taken)> = Vec::new();
        let known = |found: &[(Vec<Taken>, Taken)], node: Node, step: &Step| {
            found.iter().any(|(_, taken)| taken.from == node && taken.step.to == step.to)
        };
        while found.len() < CYCLES_TRIED {
            let wanted = |node: Node, step: &Step| {
                step.marks == self.product.full && !known(&found, node, step)
            };
            let mut way = self.way(entry, wanted);
            let Some(last) = way.pop() else { break };
            found.push((way, last));
        }
        found
    }

    /// A tour that meets every acceptance set and is fair: always to the nearest edge that
    /// helps, at last back home.
    fn tour(&self, entry: Node, fairness: Fairness, members: &[Node]) -> Vec<Taken> {
        let enabled = members.iter().fold(0, |all, node| all | self.product.enabled(*node));
        let starved = if fairness == Fairness::None { 0 } else { enabled };
        let mut owed = Owed { marks: self.product.full, starved };
        owed.visit(self.product, entry, fairness);
        let (mut tour, mut at) = (Vec::new(), entry);
        while owed.marks != 0 || owed.starved != 0 {
            let way = self.way(at, |_, step| owed.is_helped(self.product, step, fairness));
            let Some(last) = way.last() else { break };
            at = last.step.to;
            way.iter().for_each(|taken| owed.take(self.product, &taken.step, fairness));
            tour.extend(way);
        }
        if at != entry || tour.is_empty() {
            tour.extend(self.way(at, |_, step| step.to == entry));
        }
        tour
    }
}

/// What a tour has not met yet.
struct Owed {
    marks: u64,
    /// Processes that have not moved, and, for weak fairness, were never seen disabled.
    starved: Processes,
}

impl Owed {
    fn left(&self, product: &Product<'_>, step: &Step, fairness: Fairness) -> (u64, Processes) {
        let mut starved = self.starved & !product.graph.participants(step.edge);
        if fairness == Fairness::Weak {
            starved &= product.enabled(step.to);
        }
        (self.marks & !step.marks, starved)
    }

    fn is_helped(&self, product: &Product<'_>, step: &Step, fairness: Fairness) -> bool {
        self.left(product, step, fairness) != (self.marks, self.starved)
    }

    fn take(&mut self, product: &Product<'_>, step: &Step, fairness: Fairness) {
        (self.marks, self.starved) = self.left(product, step, fairness);
    }

    fn visit(&mut self, product: &Product<'_>, node: Node, fairness: Fairness) {
        if fairness == Fairness::Weak {
            self.starved &= product.enabled(node);
        }
    }
}
