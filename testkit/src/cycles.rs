//! Fair accepting cycles, straight from the definition: what the searches for cycles are
//! compared with.
//!
//! A run stays, from some point on, in a strongly connected set of nodes and visits all of it
//! again and again. So there is a run of the wanted kind iff such a set can be reached whose
//! inner edges have every mark and which is fair: under weak fairness each process moves in it
//! or is disabled somewhere in it; under strong fairness each process moves in it or is
//! disabled everywhere in it. The last case is looked for by guessing who is disabled.

use std::collections::BTreeSet;

/// Which runs count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fair {
    /// All.
    None,
    /// No process can always move and never does.
    Weak,
    /// No process can move again and again and never does.
    Strong,
}

/// All of them, each stricter than the one before.
pub const FAIRNESS: [Fair; 3] = [Fair::None, Fair::Weak, Fair::Strong];

impl Fair {
    /// Whether processes that can move in each of these sets, and those that do, are a fair
    /// cycle.
    pub fn allows(self, enabled: &[u128], moved: u128) -> bool {
        let starved = match self {
            Fair::None => 0,
            Fair::Weak => enabled.iter().fold(u128::MAX, |all, set| all & set),
            Fair::Strong => enabled.iter().fold(0, |all, set| all | set),
        };
        starved & !moved == 0
    }
}

/// An edge between nodes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Edge {
    /// Where it leads.
    pub to: usize,
    /// The acceptance sets it is in.
    pub marks: u64,
    /// Who moves.
    pub moved: u128,
}

/// A node.
#[derive(Clone, Default, Debug)]
pub struct Node {
    /// Who can move.
    pub enabled: u128,
    /// The edges that leave it.
    pub edges: Vec<Edge>,
}

/// Whether some run from node 0 has all these marks again and again and is fair.
pub fn has_fair_cycle(nodes: &[Node], marks: u64, fair: Fair) -> bool {
    let reached = reached(nodes);
    let processes = nodes.iter().fold(0, |all, node| all | node.enabled);
    guesses(processes, fair).into_iter().any(|disabled| {
        let inside = |node: usize| reached[node] && nodes[node].enabled & disabled == 0;
        let mut sets = components(nodes, &inside).into_iter();
        sets.any(|set| is_wanted(nodes, &set, marks, fair))
    })
}

/// The sets of processes that may be disabled for ever. Only strong fairness asks: the other
/// kinds are met by a set of nodes if they are met by a part of it.
fn guesses(processes: u128, fair: Fair) -> Vec<u128> {
    let mut guesses = vec![0];
    for bit in (0..128).filter(|bit| fair == Fair::Strong && processes >> bit & 1 == 1) {
        let with = guesses.iter().map(|guess| guess | 1 << bit);
        guesses.extend(with.collect::<Vec<_>>());
    }
    guesses
}

/// Whether a run through all of a strongly connected set is of the wanted kind.
fn is_wanted(nodes: &[Node], set: &BTreeSet<usize>, marks: u64, fair: Fair) -> bool {
    let inner = set.iter().flat_map(|node| &nodes[*node].edges);
    let inner: Vec<&Edge> = inner.filter(|edge| set.contains(&edge.to)).collect();
    let seen = inner.iter().fold(0, |all, edge| all | edge.marks);
    let moved = inner.iter().fold(0, |all, edge| all | edge.moved);
    let enabled: Vec<u128> = set.iter().map(|node| nodes[*node].enabled).collect();
    !inner.is_empty() && marks & !seen == 0 && fair.allows(&enabled, moved)
}

fn reached(nodes: &[Node]) -> Vec<bool> {
    let mut reached = vec![false; nodes.len()];
    let mut waiting = vec![0];
    while let Some(node) = waiting.pop() {
        if !std::mem::replace(&mut reached[node], true) {
            waiting.extend(nodes[node].edges.iter().map(|edge| edge.to));
        }
    }
    reached
}

/// The strongly connected components of the nodes inside (Kosaraju 1978).
fn components(nodes: &[Node], inside: &dyn Fn(usize) -> bool) -> Vec<BTreeSet<usize>> {
    let (mut ahead, mut back) = (vec![Vec::new(); nodes.len()], vec![Vec::new(); nodes.len()]);
    for from in (0..nodes.len()).filter(|node| inside(*node)) {
        for edge in nodes[from].edges.iter().filter(|edge| inside(edge.to)) {
            ahead[from].push(edge.to);
            back[edge.to].push(from);
        }
    }
    let (mut met, mut order) = (vec![false; nodes.len()], Vec::new());
    (0..nodes.len())
        .filter(|node| inside(*node))
        .for_each(|node| visit(&ahead, node, &mut met, &mut order));
    let (mut met, mut sets) = (vec![false; nodes.len()], Vec::new());
    for node in order.into_iter().rev() {
        let mut set = Vec::new();
        visit(&back, node, &mut met, &mut set);
        sets.push(set.into_iter().collect());
    }
    sets.retain(|set: &BTreeSet<usize>| !set.is_empty());
    sets
}

/// Appends everything new behind a node, itself last.
fn visit(edges: &[Vec<usize>], node: usize, met: &mut [bool], order: &mut Vec<usize>) {
    if std::mem::replace(&mut met[node], true) {
        return;
    }
    let mut path = vec![(node, 0)];
    while let Some((node, next)) = path.last_mut() {
        match edges[*node].get(*next) {
            Some(to) => {
                *next += 1;
                if !std::mem::replace(&mut met[*to], true) {
                    path.push((*to, 0));
                }
            }
            None => {
                order.push(*node);
                path.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Random, for_seeds};

    fn random_nodes(random: &mut Random) -> Vec<Node> {
        let count = random.between(1, 7);
        let mut edge = || Edge {
            to: random.below(count),
            marks: random.below(4),
            moved: u128::from(random.below(8_u64) & random.below(8_u64)),
        };
        let mut nodes = vec![Node::default(); count];
        for at in 0..2 * count {
            nodes[at % count].edges.push(edge());
        }
        for node in &mut nodes {
            node.edges.truncate(random.between(0, 2));
            let moved = node.edges.iter().fold(0, |all, edge| all | edge.moved);
            node.enabled = moved | u128::from(random.below(8_u64) & random.below(8_u64));
        }
        nodes
    }

    /// By trying every set of nodes.
    fn by_all_sets(nodes: &[Node], marks: u64, fair: Fair) -> bool {
        let reached = reached(nodes);
        (1_u32..1 << nodes.len()).any(|bits| {
            let has = |node: usize| bits >> node & 1 == 1;
            let set: BTreeSet<usize> = (0..nodes.len()).filter(|node| has(*node)).collect();
            let connected = components(nodes, &has).len() == 1;
            let near = set.iter().all(|node| reached[*node]);
            connected && near && is_wanted(nodes, &set, marks, fair)
        })
    }

    #[test]
    fn guessing_who_is_disabled_is_trying_all_sets() {
        let mut found = [0; 3];
        for_seeds(0..3_000, |_, random| {
            let nodes = random_nodes(random);
            for (fair, found) in FAIRNESS.into_iter().zip(&mut found) {
                let expected = by_all_sets(&nodes, 3, fair);
                assert_eq!(has_fair_cycle(&nodes, 3, fair), expected, "{fair:?} {nodes:?}");
                *found += usize::from(expected);
            }
        });
        assert!(found[2] > 300 && found[0] > found[1] && found[1] > found[2], "{found:?}");
    }
}
