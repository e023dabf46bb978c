//! Shortest ways in the product, breadth first.

use crate::product::{Node, Product, Step};

/// A set of nodes, one bit each.
pub(crate) struct Nodes(Vec<u64>);

impl Nodes {
    pub(crate) fn new(product: &Product<'_>) -> Self {
        Self(vec![0; product.nodes().div_ceil(64)])
    }

    pub(crate) fn of(product: &Product<'_>, nodes: &[Node]) -> Self {
        let mut set = Self::new(product);
        nodes.iter().for_each(|node| {
            set.add(*node);
        });
        set
    }

    pub(crate) fn has(&self, node: Node) -> bool {
        self.0[node.0 as usize / 64] >> (node.0 % 64) & 1 != 0
    }

    /// Adds a node; whether it was not there.
    pub(crate) fn add(&mut self, node: Node) -> bool {
        let (word, bit) = (&mut self.0[node.0 as usize / 64], 1 << (node.0 % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}

/// A step with the node it leaves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    pub(crate) from: Node,
    pub(crate) step: Step,
}

/// A shortest way from `start` whose last step `wanted` likes; `None` if there is none. With
/// `inside`, no other nodes are entered.
pub(crate) fn shortest(
    product: &Product<'_>,
    start: Node,
    inside: Option<&Nodes>,
    wanted: impl Fn(Node, &Step) -> bool,
) -> Option<Vec<Taken>> {
    let mut met = Nodes::new(product);
    met.add(start);
    // Each node met, where in this list the node before it is, and the step between them.
    let mut list: Vec<(Node, usize, Option<Step>)> = vec![(start, 0, None)];
    let mut next = 0;
    while let Some((node, ..)) = list.get(next).copied() {
        for step in product.steps(node) {
            if inside.is_some_and(|inside| !inside.has(step.to)) {
                continue;
            }
            if wanted(node, &step) {
                return Some(way(&list, next, Taken { from: node, step }));
            }
            if met.add(step.to) {
                list.push((step.to, next, Some(step)));
            }
        }
        next += 1;
    }
    None
}

fn way(list: &[(Node, usize, Option<Step>)], mut at: usize, last: Taken) -> Vec<Taken> {
    let mut steps = vec![last];
    while let (_, before, Some(step)) = list[at] {
        steps.push(Taken { from: list[before].0, step });
        at = before;
    }
    steps.reverse();
    steps
}
