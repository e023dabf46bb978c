//! Nested depth-first search (Courcoubetis, Vardi, Wolper and Yannakakis 1992), by several threads
//! (CNDFS: Evangelista, Laarman, Petrucci and van de Pol 2012). A node takes two bits that all
//! threads share, and two of each thread: the way to search with least memory.
//!
//! The outer, blue search visits every node. When it leaves an accepting one, the inner, red
//! search looks for a way from there back to the blue path; a node is red once the search from
//! it was in vain. With several threads a red search may have met accepting nodes that another
//! thread is about to leave: their colour is waited for.
//!
//! In a weak automaton an edge of the blue search back to its own path, within an accepting
//! component of the automaton, is a cycle that is accepted, and no red search is needed. With
//! several threads neither: of the nodes of an accepting cycle let x be the first that becomes
//! blue, by thread t, and y the one behind it. When t took the edge from x to y, y was not blue.
//! If it was not on the path of t either, t went on to it and made it blue before x. So it was
//! on its path, and t has found a cycle.

use crate::bits::{Nodes, SharedNodes};
use crate::lasso::{Edge, Lasso};
use crate::product::{Node, Product, Taken};
use crate::stack::Stack;
use crate::workers::{self, End};
use crate::{Helpers, NoRoom, has_room};
use search::{Walker, Why};

/// Which cycles are accepted.
pub(crate) enum Acceptance {
    /// Those within a component: of each state of the automaton, if its component accepts.
    Weak(Vec<Option<u32>>),
    /// Those with an accepting state of the automaton.
    States(Vec<bool>),
}

impl Acceptance {
    /// Whether a step back to the path closes an accepted cycle.
    fn closes(&self, product: &Product<'_>, step: &Taken) -> bool {
        let (from, to) = (product.automaton_state(step.from), product.automaton_state(step.to));
        match self {
            Acceptance::Weak(of) => of[from].is_some() && of[from] == of[to],
            Acceptance::States(accepting) => accepting[from] || accepting[to],
        }
    }

    /// Whether a red search begins here.
    fn is_seed(&self, product: &Product<'_>, node: Node) -> bool {
        match self {
            Acceptance::Weak(_) => false,
            Acceptance::States(accepting) => accepting[product.automaton_state(node)],
        }
    }

    fn is_nested(&self) -> bool {
        matches!(self, Acceptance::States(_))
    }
}

/// What the threads share.
struct Shared<'a> {
    product: &'a Product<'a>,
    acceptance: &'a Acceptance,
    blue: SharedNodes,
    red: SharedNodes,
    end: End<Lasso>,
}

/// A run with an accepted cycle, as it was found. All threads have to end: a node that one made
/// blue may lead to nodes that are on its path still.
pub(crate) fn search(
    product: &Product<'_>,
    acceptance: &Acceptance,
    walker: &mut Walker<'_>,
    helpers: &mut Helpers<'_, '_>,
) -> Result<Option<Lasso>, Why> {
    has_room(product, 2 + 2 * (1 + helpers.copies.len()), walker)?;
    let red = if acceptance.is_nested() { SharedNodes::new(product)? } else { SharedNodes::none() };
    let (blue, end) = (SharedNodes::new(product)?, End::new());
    let shared = Shared { product, acceptance, blue, red, end };
    workers::search(product, walker, helpers, &shared.end, |walker, order| {
        Worker::new(&shared, walker, order)?.search(product.initial)
    })
}

/// One thread.
struct Worker<'w, 'a, 'b> {
    shared: &'w Shared<'a>,
    walker: &'w mut Walker<'b>,
    /// The nodes of the blue path, and those of the red search at hand.
    cyan: Nodes,
    pink: Nodes,
    blue_path: Stack,
    red_path: Stack,
    /// The nodes of the red search at hand, in a list.
    pinks: Vec<Node>,
}

impl<'w, 'a, 'b> Worker<'w, 'a, 'b> {
    fn new(shared: &'w Shared<'a>, walker: &'w mut Walker<'b>, order: u32) -> Result<Self, NoRoom> {
        let pink = match shared.acceptance.is_nested() {
            true => Nodes::new(shared.product)?,
            false => Nodes::default(),
        };
        Ok(Self {
            shared,
            walker,
            cyan: Nodes::new(shared.product)?,
            pink,
            blue_path: Stack::in_order(order),
            red_path: Stack::in_order(order),
            pinks: Vec::new(),
        })
    }

    /// The blue search.
    fn search(&mut self, start: Node) -> Result<Option<Lasso>, Why> {
        let Shared { product, acceptance, blue, .. } = self.shared;
        self.enter(start)?;
        while !self.shared.end.is_over() {
            if let Some(step) = self.blue_path.next(product, self.walker)? {
                if self.cyan.has(step.to) {
                    if acceptance.closes(product, &step) {
                        return Ok(Some(self.lasso(step.to)));
                    }
                } else if !blue.has(step.to) {
                    self.enter(step.to)?;
                }
                continue;
            }
            let Some(node) = self.blue_path.last() else { return Ok(None) };
            if acceptance.is_seed(product, node)
                && let Some(lasso) = self.search_red(node)?
            {
                return Ok(Some(lasso));
            }
            self.blue_path.pop();
            blue.add(node);
            self.cyan.remove(node);
        }
        Ok(None)
    }

    fn enter(&mut self, node: Node) -> Result<(), Why> {
        self.cyan.add(node);
        self.blue_path.push(self.shared.product, self.walker, node).map(drop)
    }

    /// The red search from an accepting node that the blue search leaves.
    fn search_red(&mut self, seed: Node) -> Result<Option<Lasso>, Why> {
        let Shared { product, red, .. } = self.shared;
        self.red_path.clear();
        self.enter_red(seed)?;
        while self.red_path.last().is_some() {
            let Some(step) = self.red_path.next(product, self.walker)? else {
                self.red_path.pop();
                continue;
            };
            if self.cyan.has(step.to) {
                return Ok(Some(self.lasso(step.to)));
            }
            if !self.pink.has(step.to) && !red.has(step.to) {
                self.enter_red(step.to)?;
            }
        }
        self.colour_red(seed);
        Ok(None)
    }

    fn enter_red(&mut self, node: Node) -> Result<(), Why> {
        self.pink.add(node);
        self.pinks.push(node);
        self.red_path.push(self.shared.product, self.walker, node).map(drop)
    }

    /// All nodes of the red search become red, once the accepting ones among them are.
    fn colour_red(&mut self, seed: Node) {
        let Shared { product, acceptance, red, .. } = self.shared;
        for node in self.pinks.iter().filter(|node| **node != seed) {
            while acceptance.is_seed(product, *node)
                && !red.has(*node)
                && !self.shared.end.is_over()
            {
                std::thread::yield_now();
            }
        }
        for node in self.pinks.drain(..) {
            red.add(node);
            self.pink.remove(node);
        }
    }

    /// The blue path, the red one behind it, and the step from there back to a node of the
    /// blue path.
    fn lasso(&self, back: Node) -> Lasso {
        let nodes = self.blue_path.nodes().chain(self.red_path.nodes().skip(1)).chain([back]);
        let nodes: Vec<Node> = nodes.collect();
        let start = nodes.iter().position(|node| *node == back).unwrap_or(0);
        let state = |node: Node| self.walker.original(self.shared.product.state(node));
        let edge = |pair: &[Node]| Edge { from: state(pair[0]), to: state(pair[1]), moved: None };
        let mut edges: Vec<Edge> = nodes.windows(2).map(edge).collect();
        let cycle = edges.split_off(start);
        Lasso { prefix: edges, cycle }
    }
}
