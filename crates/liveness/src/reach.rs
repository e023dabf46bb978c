//! Shortest ways in the product, breadth first.

use crate::bits::Nodes;
use crate::product::{Node, Product, Taken};
use search::{Listed, Walker, Why};
use system::Processes;

/// Whether a node that `wanted` likes can be reached from the initial one.
pub(crate) fn is_reachable(
    product: &Product<'_>,
    walker: &mut Walker<'_>,
    wanted: &dyn Fn(Node) -> bool,
) -> Result<bool, Why> {
    crate::has_room(product, 1, walker)?;
    let (mut met, mut listed) = (Nodes::new(product)?, Listed::default());
    met.add(product.initial);
    let mut waiting = vec![product.initial];
    while let Some(node) = waiting.pop() {
        let expansion = walker.expand(product.state(node), &mut listed)?;
        for by in product.moves(node, expansion.letter) {
            for target in &listed.targets {
                let to = product.target(*target, *by);
                if wanted(to) {
                    return Ok(true);
                }
                if met.add(to) {
                    waiting.push(to);
                }
            }
        }
    }
    Ok(false)
}

/// A shortest way from `start` whose last step `wanted` likes, or to a node where `stops` likes
/// who is enabled; `None` if there is none. With `inside`, no other nodes are entered.
pub(crate) fn shortest(
    product: &Product<'_>,
    walker: &mut Walker<'_>,
    start: Node,
    inside: Option<&Nodes>,
    wanted: impl Fn(&Taken) -> bool,
    stops: impl Fn(Processes) -> bool,
) -> Result<Option<Vec<Taken>>, Why> {
    let (mut met, mut listed) = (Nodes::new(product)?, Listed::default());
    met.add(start);
    // Each node met, and where in this list the node before it is.
    let mut list: Vec<(Node, u32)> = vec![(start, 0)];
    let mut next = 0;
    while let Some((node, _)) = list.get(next).copied() {
        let expansion = walker.expand(product.state(node), &mut listed)?;
        if next > 0 && stops(expansion.enabled) {
            return way(product, walker, &list, next).map(Some);
        }
        for step in steps(product, walker, node, (expansion.letter, &listed)) {
            if inside.is_some_and(|inside| !inside.has(step.to)) {
                continue;
            }
            if wanted(&step) {
                let mut way = way(product, walker, &list, next)?;
                way.push(step);
                return Ok(Some(way));
            }
            if met.add(step.to) {
                list.push((step.to, next as u32));
            }
        }
        next += 1;
    }
    Ok(None)
}

/// All steps of a node with these edges.
fn steps(
    product: &Product<'_>,
    walker: &Walker<'_>,
    node: Node,
    (letter, listed): (Option<usize>, &Listed),
) -> Vec<Taken> {
    let moves = product.moves(node, letter);
    let mut steps = Vec::with_capacity(moves.len() * listed.targets.len());
    for by in moves {
        for (at, target) in listed.targets.iter().enumerate() {
            let moved = listed.sets.get(at).map_or(0, |set| walker.participants(*set));
            let to = product.target(*target, *by);
            steps.push(Taken { from: node, to, marks: by.marks, moved });
        }
    }
    steps
}

/// The way to the node at this place of the list. Which step leads from one node to the next is
/// looked up.
fn way(
    product: &Product<'_>,
    walker: &mut Walker<'_>,
    list: &[(Node, u32)],
    mut at: usize,
) -> Result<Vec<Taken>, Why> {
    let (mut way, mut listed) = (Vec::new(), Listed::default());
    while at > 0 {
        let (to, before) = list[at];
        let from = list[before as usize].0;
        let expansion = walker.expand(product.state(from), &mut listed)?;
        let mut steps = steps(product, walker, from, (expansion.letter, &listed)).into_iter();
        way.extend(steps.find(|step| step.to == to));
        at = before as usize;
    }
    way.reverse();
    Ok(way)
}
