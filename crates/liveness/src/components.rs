//! Strongly connected components of the product, by one depth-first search that keeps the roots
//! of the components it is in (Couvreur 1999; Gabow 2000), with the acceptance sets and the
//! processes seen in each.
//!
//! A component is a violation if its inner edges meet every acceptance set and it is fair.
//!
//! - *Weak fairness*, without copies of states: no process is enabled in all states of the
//!   component and takes part in none of its edges. A component that grows is accepting and
//!   weakly fair if a part of it is: it only loses processes that are always enabled, and
//!   gains marks and processes that move. So it is tested at every merge, and the search
//!   ends as soon as the part explored has an accepting fair run.
//! - *Strong fairness* (a Streett condition) does not have that property. A finished component
//!   is tested; if some process is enabled in it and never moves, the states where it is
//!   enabled are taken out and the rest is searched again (Emerson and Lei 1987). Every round
//!   deals with one process at least, so there are at most as many rounds as processes.

use crate::lasso::{Lasso, bad_prefix, lasso};
use crate::product::{Node, Product};
use ltl::{Automaton, Class};
use search::Graph;
use std::ops::Range;
use system::Processes;

/// Which runs count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Fairness {
    /// All.
    #[default]
    None,
    /// Those in which no process is enabled for ever from some point on and never moves.
    Weak,
    /// Those in which no process is enabled infinitely often and moves finitely often.
    Strong,
}

/// The product is too large for the memory that it may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoRoom;

/// A run of the system, by its graph, that the automaton accepts and that is fair. For a
/// terminal automaton a prefix is enough, whatever is fair: each can be continued fairly.
///
/// # Errors
/// The search would need more than `bytes_max`.
pub fn violation(
    graph: &Graph,
    automaton: &Automaton,
    fairness: Fairness,
    bytes_max: Option<u64>,
) -> Result<Option<Lasso>, NoRoom> {
    let product = Product::new(graph, automaton);
    if automaton.class() == Class::Terminal {
        return Ok(bad_prefix(&product, automaton));
    }
    let bytes = product.nodes() as u64 * size_of::<u32>() as u64;
    if product.nodes() >= FINISHED as usize || bytes_max.is_some_and(|most| bytes > most) {
        return Err(NoRoom);
    }
    let mut numbers = Vec::new();
    numbers.try_reserve_exact(product.nodes()).map_err(|_| NoRoom)?;
    numbers.resize(product.nodes(), 0);
    let mut search = Search { product: &product, fairness, numbers };
    let members = search.component(product.initial);
    Ok(members.map(|members| lasso(&product, fairness, &members)))
}

/// The number of a node whose component is finished.
const FINISHED: u32 = u32::MAX;

struct Search<'a> {
    product: &'a Product<'a>,
    fairness: Fairness,
    /// Of each node: 0 if it was not met, else when it was, or [`FINISHED`].
    numbers: Vec<u32>,
}

/// A node on the current path, and which of its steps comes next.
struct Frame {
    node: Node,
    by: usize,
    edges: Range<usize>,
}

/// A component on the current path, as far as it is known.
struct Root {
    number: u32,
    seen: Seen,
    /// What the edge that leads into it shows.
    entering: Seen,
    has_cycle: bool,
}

/// What was seen in a part of a component.
#[derive(Clone, Copy)]
struct Seen {
    marks: u64,
    /// Processes enabled in every state.
    always: Processes,
    /// Processes that take part in some edge.
    moved: Processes,
}

impl Seen {
    const NOTHING: Self = Self { marks: 0, always: Processes::MAX, moved: 0 };

    fn join(&mut self, other: Seen) {
        self.marks |= other.marks;
        self.always &= other.always;
        self.moved |= other.moved;
    }
}

/// The stacks of one depth-first search.
#[derive(Default)]
struct Path {
    frames: Vec<Frame>,
    roots: Vec<Root>,
    /// The nodes of components that are not finished, in the order of their numbers.
    active: Vec<Node>,
}

impl Search<'_> {
    /// The nodes of a component that is a violation, reached from `start` by nodes that were
    /// not met.
    fn component(&mut self, start: Node) -> Option<Vec<Node>> {
        let mut path = Path::default();
        self.enter(&mut path, start, Seen::NOTHING);
        while let Some(frame) = path.frames.last_mut() {
            let moves = self.product.moves(frame.node);
            let Some(by) = moves.get(frame.by).copied() else {
                if let Some(found) = self.leave(&mut path) {
                    return Some(found);
                }
                continue;
            };
            let Some(edge) = frame.edges.next() else {
                frame.by += 1;
                frame.edges = self.product.graph.edges_of(self.product.state(frame.node));
                continue;
            };
            let step = self.product.step(by, edge);
            let seen = Seen { marks: step.marks, moved: self.moved(edge), ..Seen::NOTHING };
            match self.numbers[step.to.0 as usize] {
                0 => self.enter(&mut path, step.to, seen),
                FINISHED => {}
                number => {
                    if self.merge(&mut path, number, seen) {
                        let first = path.roots.last().map_or(0, |root| root.number as usize - 1);
                        return Some(path.active.split_off(first));
                    }
                }
            }
        }
        None
    }

    fn moved(&self, edge: usize) -> Processes {
        if self.fairness == Fairness::None { 0 } else { self.product.graph.participants(edge) }
    }

    fn enter(&mut self, path: &mut Path, node: Node, entering: Seen) {
        path.active.push(node);
        let number = path.active.len() as u32;
        self.numbers[node.0 as usize] = number;
        let always = match self.fairness {
            Fairness::Weak => self.product.enabled(node),
            Fairness::None | Fairness::Strong => 0,
        };
        let seen = Seen { always, ..Seen::NOTHING };
        path.roots.push(Root { number, seen, entering, has_cycle: false });
        let edges = self.product.graph.edges_of(self.product.state(node));
        path.frames.push(Frame { node, by: 0, edges });
    }

    /// An edge leads back to the node of this number: all components from there on are one.
    /// Whether it is a violation.
    fn merge(&self, path: &mut Path, number: u32, mut seen: Seen) -> bool {
        while path.roots.last().is_some_and(|root| root.number > number) {
            let root = path.roots.pop().expect("there is one");
            seen.join(root.seen);
            seen.join(root.entering);
        }
        let root = path.roots.last_mut().expect("the node is in some component");
        root.seen.join(seen);
        root.has_cycle = true;
        let Seen { marks, always, moved } = root.seen;
        let fair = always & !moved == 0;
        self.fairness != Fairness::Strong && marks == self.product.full && fair
    }

    /// Leaves the last node of the path; with the first one of a component the component is
    /// finished. Under strong fairness it may be a violation only then.
    fn leave(&mut self, path: &mut Path) -> Option<Vec<Node>> {
        let frame = path.frames.pop()?;
        let number = self.numbers[frame.node.0 as usize];
        if path.roots.last().is_none_or(|root| root.number != number) {
            return None;
        }
        let root = path.roots.pop()?;
        let members = path.active.split_off(number as usize - 1);
        members.iter().for_each(|node| self.numbers[node.0 as usize] = FINISHED);
        let accepts = root.has_cycle && root.seen.marks == self.product.full;
        let is_open = self.fairness == Fairness::Strong && accepts;
        is_open.then(|| self.strongly_fair(members)).flatten()
    }

    /// A part of an accepting component that has a strongly fair run through it.
    fn strongly_fair(&mut self, members: Vec<Node>) -> Option<Vec<Node>> {
        let enabled = members.iter().fold(0, |all, node| all | self.product.enabled(*node));
        let starved = enabled & !self.moved_within(&members);
        if starved == 0 {
            return Some(members);
        }
        let product = self.product;
        let rest: Vec<Node> =
            members.into_iter().filter(|node| product.enabled(*node) & starved == 0).collect();
        rest.iter().for_each(|node| self.numbers[node.0 as usize] = 0);
        for node in rest {
            if self.numbers[node.0 as usize] == 0
                && let Some(found) = self.component(node)
            {
                return Some(found);
            }
        }
        None
    }

    /// The processes that take part in edges within a component.
    fn moved_within(&self, members: &[Node]) -> Processes {
        let inside: std::collections::HashSet<Node> = members.iter().copied().collect();
        let steps = members.iter().flat_map(|node| self.product.steps(*node));
        let inner = steps.filter(|step| inside.contains(&step.to));
        inner.fold(0, |all, step| all | self.product.graph.participants(step.edge))
    }
}
