//! Strongly connected components of the product, by one depth-first search that keeps the roots
//! of the components it is in (Couvreur 1999; Gabow 2000), with the acceptance sets and the
//! processes seen in each. The nodes of a component are a tree that leads to its root
//! (union-find), so a node takes four bytes, on the path or not.
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

use crate::bits::Nodes;
use crate::lasso::{Lasso, lasso};
use crate::product::{NODES_MAX, Node, Product, Taken};
use crate::stack::Stack;
use crate::{Fairness, NoRoom};
use search::{Listed, Walker, Why, prefetch};
use system::Processes;

/// A short run of the product that is accepted and fair.
pub(crate) fn violation(
    product: &Product<'_>,
    walker: &mut Walker<'_>,
    fairness: Fairness,
) -> Result<Option<Lasso>, Why> {
    let mut components = Components::new(product, walker, fairness)?;
    let Some(members) = components.violation(product.initial)? else { return Ok(None) };
    drop(components);
    lasso(product, walker, fairness, &members).map(Some)
}

/// What is known of a node.
///
/// - 0: it was not met.
/// - [`FINISHED`]: it was the root of a component that is finished.
/// - With [`ROOT`]: it is the root of a component on the path, by its place in the list.
/// - Else one more than the number of a node that is nearer to the root.
type Link = u32;

const FINISHED: Link = u32::MAX;
const ROOT: Link = NODES_MAX + 1;

pub(crate) struct Components<'p, 'w, 'a> {
    product: &'p Product<'p>,
    walker: &'w mut Walker<'a>,
    fairness: Fairness,
    links: Vec<Link>,
    path: Stack,
    roots: Vec<Root>,
    /// Of each root, if fairness is asked for.
    moves: Vec<Moves>,
}

/// A component on the current path, as far as it is known.
struct Root {
    node: Node,
    has_cycle: bool,
    marks: u64,
    /// The acceptance sets of the edge that leads into it.
    entering: u64,
}

/// The processes of a component.
#[derive(Clone, Copy)]
struct Moves {
    /// Those enabled in every state.
    always: Processes,
    /// Those that take part in some edge.
    moved: Processes,
    /// Those that take part in the edge that leads into it.
    entering: Processes,
}

impl<'p, 'w, 'a> Components<'p, 'w, 'a> {
    /// The bytes that the nodes of a product take.
    pub(crate) fn bytes(product: &Product<'_>) -> u64 {
        (product.nodes() * size_of::<Link>()) as u64
    }

    fn new(
        product: &'p Product<'p>,
        walker: &'w mut Walker<'a>,
        fairness: Fairness,
    ) -> Result<Self, NoRoom> {
        if Self::bytes(product) > walker.bytes_left() {
            return Err(NoRoom);
        }
        let mut links = Vec::new();
        links.try_reserve_exact(product.nodes()).map_err(|_| NoRoom)?;
        links.resize(product.nodes(), 0);
        let (path, roots, moves) = (Stack::default(), Vec::new(), Vec::new());
        Ok(Self { product, walker, fairness, links, path, roots, moves })
    }

    /// The nodes of a component that is a violation, reached from `start` by nodes that were
    /// not met.
    fn violation(&mut self, start: Node) -> Result<Option<Vec<Node>>, Why> {
        let (outer, base) = (std::mem::take(&mut self.path), self.roots.len());
        self.enter(start, (0, 0))?;
        let mut found = None;
        while found.is_none() && self.path.last().is_some() {
            found = match self.path.next(self.product, self.walker)? {
                None => self.leave()?,
                Some(step) if self.links[step.to.index()] == 0 => {
                    self.enter(step.to, (step.marks, step.moved))?;
                    None
                }
                Some(step) => self.meet(&step)?,
            };
        }
        self.path = outer;
        self.roots.truncate(base);
        self.moves.truncate(base);
        Ok(found)
    }

    fn enter(&mut self, node: Node, entering: (u64, Processes)) -> Result<(), Why> {
        let enabled = self.path.push(self.product, self.walker, node)?;
        for to in self.path.targets(self.product) {
            prefetch(self.links.as_ptr().wrapping_add(to.index()));
        }
        self.links[node.index()] = ROOT | self.roots.len() as u32;
        self.roots.push(Root { node, has_cycle: false, marks: 0, entering: entering.0 });
        if self.fairness != Fairness::None {
            self.moves.push(Moves { always: enabled, moved: 0, entering: entering.1 });
        }
        Ok(())
    }

    /// The root of the component of a node that was met; paths are halved on the way.
    fn root_of(&mut self, mut node: Node) -> Node {
        loop {
            let link = self.links[node.index()];
            if link >= ROOT {
                return node;
            }
            let next = Node(link - 1);
            let beyond = self.links[next.index()];
            if beyond < ROOT {
                self.links[node.index()] = beyond;
            }
            node = next;
        }
    }

    /// An edge leads to a node that was met. If its component is on the path, all components
    /// from there on are one; the nodes of that one, if it is a violation.
    fn meet(&mut self, step: &Taken) -> Result<Option<Vec<Node>>, Why> {
        let root = self.root_of(step.to);
        let link = self.links[root.index()];
        if link == FINISHED {
            return Ok(None);
        }
        let first = (link & !ROOT) as usize;
        self.join_marks(first, step.marks);
        let fair = match self.fairness {
            Fairness::None => true,
            Fairness::Weak => self.join_moves(first, step.moved),
            Fairness::Strong => {
                self.join_moves(first, step.moved);
                false
            }
        };
        let is_violation = fair && self.roots[first].marks == self.product.full;
        if is_violation { self.members(root).map(Some) } else { Ok(None) }
    }

    fn join_marks(&mut self, first: usize, marks: u64) {
        let parent = self.roots[first].node.0 + 1;
        let joined = self.roots.drain(first + 1..);
        let marks = joined.fold(marks, |marks, root| {
            self.links[root.node.index()] = parent;
            marks | root.marks | root.entering
        });
        self.roots[first].marks |= marks;
        self.roots[first].has_cycle = true;
    }

    /// Whether the component is weakly fair then.
    fn join_moves(&mut self, first: usize, moved: Processes) -> bool {
        let start = Moves { moved: self.moves[first].moved | moved, ..self.moves[first] };
        let joined = self.moves.drain(first + 1..).fold(start, |all, part| Moves {
            always: all.always & part.always,
            moved: all.moved | part.moved | part.entering,
            ..all
        });
        self.moves[first] = joined;
        joined.always & !joined.moved == 0
    }

    /// Leaves the last node of the path; with the root of a component the component is
    /// finished. Under strong fairness it may be a violation only then.
    fn leave(&mut self) -> Result<Option<Vec<Node>>, Why> {
        let node = self.path.pop();
        let Some(root) = self.roots.pop_if(|root| Some(root.node) == node) else { return Ok(None) };
        self.moves.truncate(self.roots.len());
        let accepts = root.has_cycle && root.marks == self.product.full;
        if self.fairness != Fairness::Strong || !accepts {
            self.links[root.node.index()] = FINISHED;
            return Ok(None);
        }
        let members = self.members(root.node)?;
        members.iter().for_each(|node| self.links[node.index()] = FINISHED);
        self.strongly_fair(members)
    }

    /// The nodes of a component, all of which are met.
    fn members(&mut self, root: Node) -> Result<Vec<Node>, Why> {
        let (mut members, mut known) = (vec![root], Nodes::new(self.product)?);
        known.add(root);
        let (mut next, mut listed) = (0, Listed::default());
        while let Some(node) = members.get(next).copied() {
            next += 1;
            let expansion = self.walker.expand(self.product.state(node), &mut listed)?;
            for to in self.product.successors(node, (expansion.letter, &listed)) {
                if self.links[to.index()] != 0 && self.root_of(to) == root && known.add(to) {
                    members.push(to);
                }
            }
        }
        Ok(members)
    }

    /// A part of an accepting component that has a strongly fair run through it.
    fn strongly_fair(&mut self, members: Vec<Node>) -> Result<Option<Vec<Node>>, Why> {
        let (enabled, moved) = self.moves_of(&members)?;
        let all = enabled.iter().fold(0, |all, enabled| all | enabled);
        let starved = all & !moved;
        if starved == 0 {
            return Ok(Some(members));
        }
        let kept = members.into_iter().zip(enabled).filter(|(_, enabled)| enabled & starved == 0);
        let rest: Vec<Node> = kept.map(|(node, _)| node).collect();
        rest.iter().for_each(|node| self.links[node.index()] = 0);
        for node in rest {
            if self.links[node.index()] == 0
                && let Some(found) = self.violation(node)?
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Who is enabled in each node of a component, and who takes part in edges within it.
    fn moves_of(&mut self, members: &[Node]) -> Result<(Vec<Processes>, Processes), Why> {
        let mut inside = Nodes::new(self.product)?;
        members.iter().for_each(|node| {
            inside.add(*node);
        });
        let (mut enabled, mut moved, mut listed) = (Vec::new(), 0, Listed::default());
        for node in members {
            let expansion = self.walker.expand(self.product.state(*node), &mut listed)?;
            enabled.push(expansion.enabled);
            let moves = self.product.moves(*node, expansion.letter);
            for (target, set) in listed.targets.iter().zip(&listed.sets) {
                if moves.iter().any(|by| inside.has(self.product.target(*target, *by))) {
                    moved |= self.walker.participants(*set);
                }
            }
        }
        Ok((enabled, moved))
    }
}
