//! The graph of a system: every state that can be reached and every step between them, kept
//! whole. What a run does for ever cannot be seen from one state at a time, so the searches
//! for cycles read this graph, as often as there are properties, while the system is executed
//! once.
//!
//! ```text
//! states    0, 1, 2, ...                     in the order of discovery
//! edges     [ of one state | of another ]    the number of the state each leads to
//! letters   one per state: which atomic propositions hold there
//! ```
//!
//! A state without a step stutters: it has one edge, to itself, in which no process takes
//! part. So every maximal run is infinite. A step that ends in an error has no edge.
//!
//! A graph that is not finished is still a part of the real one: a cycle in it is a cycle of
//! the system. A state that is not expanded has no edges.

mod explore;
mod numbers;

pub use explore::{GraphRequest, explore};

use collapse::{Collapse, Cursor};
use std::collections::HashMap;
use std::ops::Range;
use system::{Letter, Processes, Step, Successors, System, Unlimited, Word};

/// The states and edges of a system.
#[derive(Debug)]
pub struct Graph {
    width: usize,
    store: Collapse,
    cursor: Cursor,
    /// Of each state.
    keys: Vec<Word>,
    /// Of each state where its edges begin and how many there are: see [`span`].
    spans: Vec<u64>,
    targets: Vec<u32>,
    /// Of each edge the set of processes that take part, by its place in `sets`; empty if
    /// nobody asked for them.
    participants: Vec<u16>,
    sets: Vec<Processes>,
    /// Of each state its letter, by its place in `alphabet`; [`UNREADABLE`] if it has none or
    /// is not expanded.
    letters: Vec<u16>,
    alphabet: Vec<Letter>,
    /// One bit per state: it has no step.
    halted: Vec<u64>,
    expanded: usize,
    depth: u64,
    /// Who takes part in steps that end in an error, of the states that have some.
    failing: HashMap<u32, Processes>,
    faults: u64,
    unreadable: Option<u32>,
    is_crowded: bool,
}

/// The edges of a state in one word: how many there are in the low bits.
fn span(first: usize, count: usize) -> u64 {
    (first as u64) << COUNT_BITS | count as u64
}

/// So many bits count the edges of a state.
const COUNT_BITS: u32 = 24;

/// Instead of the letter of a state in which a proposition cannot be evaluated.
const UNREADABLE: u16 = u16::MAX;

impl Graph {
    /// How many states there are, the initial one, number 0, included.
    pub fn states(&self) -> usize {
        self.keys.len()
    }

    /// How many edges there are, stuttering ones included.
    pub fn edges(&self) -> usize {
        self.targets.len()
    }

    /// How far from the initial state the farthest one is; 0 unless breadth first.
    pub fn depth(&self) -> u64 {
        self.depth
    }

    /// How many steps end in an error. Runs behind them are not here.
    pub fn faults(&self) -> u64 {
        self.faults
    }

    /// The first state, if there is one, in which an atomic proposition cannot be evaluated.
    pub fn unreadable(&self) -> Option<u32> {
        self.unreadable
    }

    /// Whether there are more processes than a set of them can hold.
    pub fn is_crowded(&self) -> bool {
        self.is_crowded
    }

    /// The edges of a state by their numbers; none if it is not expanded.
    #[inline]
    pub fn edges_of(&self, state: u32) -> Range<usize> {
        let span = self.spans[state as usize];
        let first = (span >> COUNT_BITS) as usize;
        first..first + (span & ((1 << COUNT_BITS) - 1)) as usize
    }

    /// The state an edge leads to.
    #[inline]
    pub fn target(&self, edge: usize) -> u32 {
        self.targets[edge]
    }

    /// The processes that take part in an edge; none unless they were asked for.
    #[inline]
    pub fn participants(&self, edge: usize) -> Processes {
        self.participants.get(edge).map_or(0, |set| self.sets[*set as usize])
    }

    /// The processes that take part in some step of a state, be it one that ends in an error.
    pub fn enabled(&self, state: u32) -> Processes {
        let failing = match self.failing.is_empty() {
            true => 0,
            false => self.failing.get(&state).copied().unwrap_or(0),
        };
        self.edges_of(state).fold(failing, |all, edge| all | self.participants(edge))
    }

    /// The letters there are.
    pub fn alphabet(&self) -> &[Letter] {
        &self.alphabet
    }

    /// The letter of a state, by its place in the alphabet; none if a proposition cannot be
    /// evaluated there, or it is not expanded.
    #[inline]
    pub fn letter(&self, state: u32) -> Option<usize> {
        let letter = self.letters[state as usize];
        (letter != UNREADABLE).then_some(usize::from(letter))
    }

    /// Whether a state has no step, and stutters.
    #[inline]
    pub fn is_halted(&self, state: u32) -> bool {
        self.halted[state as usize / 64] >> (state % 64) & 1 != 0
    }

    /// The bytes held.
    pub fn bytes(&self) -> u64 {
        let lists = size_of_val(&*self.keys)
            + size_of_val(&*self.spans)
            + size_of_val(&*self.targets)
            + size_of_val(&*self.participants)
            + size_of_val(&*self.letters)
            + size_of_val(&*self.halted);
        lists as u64 + self.store.bytes()
    }

    /// The words of a state.
    pub fn words(&mut self, state: u32) -> Vec<Word> {
        let mut words = vec![0; self.width];
        self.store.load(&mut self.cursor, self.keys[state as usize], &mut words);
        words
    }

    /// The step of the system that an edge of `state` stands for; none for one that stutters.
    pub fn step(&mut self, system: &dyn System, state: u32, edge: usize) -> Option<Step> {
        if self.is_halted(state) {
            return None;
        }
        let (from, to) = (self.words(state), self.words(self.target(edge)));
        let mut batch = Successors::new(self.width);
        system.successors(&from, &mut batch, &mut Unlimited);
        let wanted = self.participants.get(edge).map(|_| self.participants(edge));
        let sets = match (wanted, system.participants()) {
            (Some(_), Some(participants)) => participants.of_steps(&from).unwrap_or_default(),
            _ => Vec::new(),
        };
        let fits = |at: usize| sets.get(at).copied() == wanted || wanted.is_none();
        let mut steps = batch.iter().enumerate();
        let mut found =
            steps.find(|(at, (_, outcome, words))| outcome.enters() && *words == to && fits(*at));
        found.take().map(|(_, (step, _, _))| step)
    }
}
