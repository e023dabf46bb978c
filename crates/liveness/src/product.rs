//! The synchronous product of a graph and an automaton.

use ltl::Automaton;
use search::Graph;
use system::Processes;

/// A state of the product: the number of the system's state times the number of states of the
/// automaton, plus that of the automaton's state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Node(pub(crate) u64);

/// What the automaton does on a letter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub(crate) target: u32,
    /// The acceptance sets it belongs to.
    pub(crate) marks: u64,
}

/// A step of the product.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) to: Node,
    /// The edge of the graph.
    pub(crate) edge: usize,
    pub(crate) marks: u64,
}

/// The product.
pub(crate) struct Product<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) initial: Node,
    /// All acceptance sets.
    pub(crate) full: u64,
    states: u64,
    letters: usize,
    /// For each state of the automaton and each letter of the graph.
    moves: Vec<Vec<Move>>,
}

impl<'a> Product<'a> {
    pub(crate) fn new(graph: &'a Graph, automaton: &Automaton) -> Self {
        let moves = automaton.states.iter().flat_map(|state| {
            graph.alphabet().iter().map(|letter| {
                let allowed = state.edges.iter().filter(|edge| edge.label.allows(*letter));
                allowed.map(|edge| Move { target: edge.target, marks: edge.marks }).collect()
            })
        });
        Self {
            graph,
            initial: Node(u64::from(automaton.initial)),
            full: automaton.all_marks(),
            states: automaton.states.len() as u64,
            letters: graph.alphabet().len(),
            moves: moves.collect(),
        }
    }

    /// How many nodes there can be.
    pub(crate) fn nodes(&self) -> usize {
        self.graph.states() * self.states as usize
    }

    /// The state of the system.
    #[inline]
    pub(crate) fn state(&self, node: Node) -> u32 {
        (node.0 / self.states) as u32
    }

    /// The state of the automaton.
    #[inline]
    pub(crate) fn automaton_state(&self, node: Node) -> u32 {
        (node.0 % self.states) as u32
    }

    /// What the automaton can do in a node; nothing if the system's state is not expanded, or
    /// has no letter.
    #[inline]
    pub(crate) fn moves(&self, node: Node) -> &[Move] {
        let row = self.automaton_state(node) as usize * self.letters;
        self.graph.letter(self.state(node)).map_or(&[], |letter| &self.moves[row + letter])
    }

    /// Where a move of the automaton and an edge of the graph lead together.
    #[inline]
    pub(crate) fn step(&self, by: Move, edge: usize) -> Step {
        let to = u64::from(self.graph.target(edge)) * self.states + u64::from(by.target);
        Step { to: Node(to), edge, marks: by.marks }
    }

    /// All steps of a node.
    pub(crate) fn steps(&self, node: Node) -> impl Iterator<Item = Step> + '_ {
        let edges = self.graph.edges_of(self.state(node));
        let moves = self.moves(node).iter();
        moves.flat_map(move |by| edges.clone().map(move |edge| self.step(*by, edge)))
    }

    /// The processes that are enabled in a node.
    pub(crate) fn enabled(&self, node: Node) -> Processes {
        self.graph.enabled(self.state(node))
    }
}
