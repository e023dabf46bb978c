//! Shortest ways in the product, breadth first.

use crate::Helpers;
use crate::bits::{Nodes, SharedNodes};
use crate::product::{Node, Product, Taken};
use crate::workers::{self, End};
use search::{Listed, Walker, Why};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use system::Processes;

/// Nodes that wait are handed from thread to thread in lists of so many, or more; few where
/// small systems are to test it.
const HANDED_FROM: usize = if cfg!(debug_assertions) { 1 } else { 1 << 10 };

/// Whether a node that `wanted` likes can be reached from the initial one.
pub(crate) fn is_reachable(
    product: &Product<'_>,
    walker: &mut Walker<'_>,
    helpers: &mut Helpers<'_, '_>,
    wanted: &(dyn Fn(Node) -> bool + Sync),
) -> Result<bool, Why> {
    crate::has_room(product, 1, walker)?;
    let (met, end) = (SharedNodes::new(product)?, End::new());
    met.add(product.initial);
    let waiting = Waiting::new(product.initial);
    let found = workers::search(product, walker, helpers, &end, |walker, _| {
        let mut listed = Listed::default();
        while let Some(mut nodes) = waiting.take(&end) {
            while let Some(node) = nodes.pop() {
                let expansion = walker.expand(product.state(node), &mut listed)?;
                for to in product.successors(node, (expansion.letter, &listed)) {
                    if wanted(to) {
                        return Ok(Some(()));
                    }
                    if met.add(to) {
                        nodes.push(to);
                    }
                }
                waiting.share(&mut nodes);
            }
            waiting.is_through();
        }
        Ok(None)
    });
    found.map(|found| found.is_some())
}

/// Nodes that no thread has looked at yet.
struct Waiting {
    lists: Mutex<Lists>,
    /// Some thread has nothing to do.
    hungry: AtomicBool,
}

struct Lists {
    lists: Vec<Vec<Node>>,
    /// So many threads look at nodes, and may add some.
    busy: usize,
}

impl Waiting {
    fn new(initial: Node) -> Self {
        let lists = Mutex::new(Lists { lists: vec![vec![initial]], busy: 0 });
        Self { lists, hungry: AtomicBool::new(false) }
    }

    fn lists(&self) -> MutexGuard<'_, Lists> {
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Nodes to look at; none when all were looked at, or the search is over.
    fn take(&self, end: &End<()>) -> Option<Vec<Node>> {
        loop {
            let mut all = self.lists();
            if let Some(list) = all.lists.pop() {
                all.busy += 1;
                return Some(list);
            }
            if all.busy == 0 || end.is_over() {
                return None;
            }
            drop(all);
            self.hungry.store(true, Ordering::Relaxed);
            std::thread::yield_now();
        }
    }

    /// Hands half of the nodes on if some thread has nothing to do.
    fn share(&self, nodes: &mut Vec<Node>) {
        if nodes.len() > HANDED_FROM && self.hungry.load(Ordering::Relaxed) {
            self.hungry.store(false, Ordering::Relaxed);
            let half = nodes.drain(..nodes.len() / 2).collect();
            self.lists().lists.push(half);
        }
    }

    /// A thread has looked at all it took.
    fn is_through(&self) {
        self.lists().busy -= 1;
    }
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
