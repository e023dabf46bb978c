//! The product of a state space and an automaton.

use ltl::Automaton;
use search::{Listed, StateSpace, Walker};
use system::Processes;

/// A state of the product: the number of the system's state times the number of states of the
/// automaton, plus that of the automaton's state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Node(pub(crate) u32);

impl Node {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What the automaton does on a letter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub(crate) target: u32,
    /// The acceptance sets it belongs to.
    pub(crate) marks: u64,
}

/// A step of the product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Taken {
    pub(crate) from: Node,
    pub(crate) to: Node,
    pub(crate) marks: u64,
    /// The processes that take part, if that is known.
    pub(crate) moved: Processes,
}

/// The product is too large for numbers of 32 bits.
pub(crate) struct TooLarge;

/// The product.
pub(crate) struct Product<'a> {
    pub(crate) space: &'a StateSpace,
    pub(crate) initial: Node,
    /// All acceptance sets.
    pub(crate) full: u64,
    states: u32,
    letters: usize,
    /// For each state of the automaton and each letter of the space.
    moves: Vec<Vec<Move>>,
}

impl<'a> Product<'a> {
    pub(crate) fn new(walker: &Walker<'a>, automaton: &Automaton) -> Result<Self, TooLarge> {
        let space = walker.space();
        let moves = automaton.states.iter().flat_map(|state| {
            space.alphabet().iter().map(|letter| {
                let allowed = state.edges.iter().filter(|edge| edge.label.allows(*letter));
                allowed.map(|edge| Move { target: edge.target, marks: edge.marks }).collect()
            })
        });
        let states = automaton.states.len() as u32;
        let nodes = space.states() as u64 * u64::from(states);
        if nodes >= u64::from(NODES_MAX) {
            return Err(TooLarge);
        }
        Ok(Self {
            space,
            initial: Node(walker.initial() * states + automaton.initial),
            full: automaton.all_marks(),
            states,
            letters: space.alphabet().len(),
            moves: moves.collect(),
        })
    }

    /// How many nodes there can be.
    pub(crate) fn nodes(&self) -> usize {
        self.space.states() * self.states as usize
    }

    /// The state of the system.
    #[inline]
    pub(crate) fn state(&self, node: Node) -> u32 {
        node.0 / self.states
    }

    /// The state of the automaton.
    #[inline]
    pub(crate) fn automaton_state(&self, node: Node) -> usize {
        (node.0 % self.states) as usize
    }

    /// What the automaton can do in a node whose state has this letter; nothing if it has none.
    #[inline]
    pub(crate) fn moves(&self, node: Node, letter: Option<usize>) -> &[Move] {
        let row = self.automaton_state(node) * self.letters;
        letter.map_or(&[], |letter| &self.moves[row + letter])
    }

    /// Where the steps of a node lead whose state has these edges.
    pub(crate) fn successors(
        &self,
        node: Node,
        (letter, listed): (Option<usize>, &Listed),
    ) -> impl Iterator<Item = Node> {
        let moves = self.moves(node, letter).iter();
        moves.flat_map(|by| listed.targets.iter().map(|target| self.target(*target, *by)))
    }

    /// Where the automaton moves to with the system.
    #[inline]
    pub(crate) fn target(&self, state: u32, by: Move) -> Node {
        Node(state * self.states + by.target)
    }
}

/// So many nodes have numbers that leave a bit free.
pub(crate) const NODES_MAX: u32 = u32::MAX >> 1;
