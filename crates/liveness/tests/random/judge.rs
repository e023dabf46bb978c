//! What must be true of every answer.

use crate::toy::Toy;
use liveness::{Fairness, Lasso};
use ltl::{Automaton, Formula};
use search::{Graph, GraphRequest, Unwatched, explore};
use std::collections::HashMap;
use system::{HALTED, Letter, Processes};
use testkit::Random;
use testkit::cycles::{self, FAIRNESS, Fair};

/// A system, its graph, and an automaton whose words are looked for.
pub(crate) struct Case<'a> {
    pub(crate) toy: &'a Toy,
    pub(crate) graph: Graph,
    /// The place of each state of the graph.
    places: Vec<usize>,
    pub(crate) automaton: &'a Automaton,
    /// What the automaton was made of.
    pub(crate) formula: Option<&'a Formula>,
}

fn fairness(fair: Fair) -> Fairness {
    match fair {
        Fair::None => Fairness::None,
        Fair::Weak => Fairness::Weak,
        Fair::Strong => Fairness::Strong,
    }
}

impl<'a> Case<'a> {
    pub(crate) fn new(
        toy: &'a Toy,
        automaton: &'a Automaton,
        formula: Option<&'a Formula>,
        participants: bool,
    ) -> Self {
        let request = GraphRequest { participants, ..GraphRequest::default() };
        let explored = explore(toy, &request, &mut Unwatched, &mut |_| true);
        let (mut graph, why) = explored.expect("a toy has what a graph needs");
        assert_eq!(why, None);
        let states = 0..graph.states() as u32;
        let places = states.map(|state| graph.words(state)[0] as usize).collect();
        let mut case = Self { toy, graph, places, automaton, formula };
        case.judge_graph(participants);
        case
    }

    /// The graph is the system.
    fn judge_graph(&mut self, participants: bool) {
        assert_eq!(self.graph.expanded(), self.graph.states());
        assert_eq!(self.places[0], 0);
        for (state, place) in self.places.clone().into_iter().enumerate() {
            let state = state as u32;
            let edges = self.graph.edges_of(state).map(|edge| {
                (self.places[self.graph.target(edge) as usize], self.graph.participants(edge))
            });
            let blind = |edge: (usize, Processes)| if participants { edge } else { (edge.0, 0) };
            let expected: Vec<_> = self.toy.runs_on(place).into_iter().map(blind).collect();
            assert_eq!(edges.collect::<Vec<_>>(), expected);
            let halts = self.toy.places[place].edges.is_empty();
            assert_eq!(self.graph.is_halted(state), halts);
            let letter = self.graph.alphabet()[self.graph.letter(state)];
            let halted = if halts { HALTED } else { 0 };
            assert_eq!(letter, self.toy.places[place].letter | halted);
            self.judge_steps(state, place, participants);
        }
    }

    /// The step of an edge is one that does what the edge says.
    fn judge_steps(&mut self, state: u32, place: usize, participants: bool) {
        for edge in self.graph.edges_of(state) {
            let step = self.graph.step(self.toy, state, edge);
            assert_eq!(step.is_none(), self.graph.is_halted(state));
            let Some(step) = step else { continue };
            let (to, moved) = self.toy.places[place].edges[step.edge as usize];
            assert_eq!(to, self.places[self.graph.target(edge) as usize]);
            assert!(!participants || moved == self.graph.participants(edge));
        }
    }

    /// Judges the answers, without fairness only if nobody knows who takes part; returns which
    /// are violations.
    pub(crate) fn judge(&self, random: &mut Random, participants: bool) -> Vec<bool> {
        let kinds = FAIRNESS.into_iter().take(if participants { 3 } else { 1 });
        let verdicts: Vec<bool> = kinds.map(|fair| self.judge_answer(fair, random)).collect();
        assert!(verdicts.is_sorted_by(|more, fewer| more >= fewer), "{verdicts:?}");
        verdicts
    }

    fn judge_answer(&self, fair: Fair, random: &mut Random) -> bool {
        let found = liveness::violation(&self.graph, self.automaton, fairness(fair), None);
        let found = found.expect("there is room");
        let expected = cycles::has_fair_cycle(&self.product(), self.automaton.all_marks(), fair);
        assert_eq!(found.is_some(), expected, "{fair:?} {:?} {:?}", self.toy, self.automaton);
        if let Some(lasso) = &found {
            self.judge_lasso(lasso, fair, random);
        }
        expected
    }

    /// The product by its definition, the part that can be reached.
    fn product(&self) -> Vec<cycles::Node> {
        let mut pairs = vec![(0, self.automaton.initial)];
        let mut numbers = HashMap::from([(pairs[0], 0)]);
        let mut nodes = Vec::new();
        while let Some(&(place, state)) = pairs.get(nodes.len()) {
            let mut edges = Vec::new();
            let letter = self.toy.places[place].letter;
            let moves = self.automaton.states[state as usize].edges.iter();
            for by in moves.filter(|by| by.label.allows(letter)) {
                for (to, moved) in self.toy.runs_on(place) {
                    let to = *numbers.entry((to, by.target)).or_insert_with(|| {
                        pairs.push((to, by.target));
                        pairs.len() - 1
                    });
                    edges.push(cycles::Edge { to, marks: by.marks, moved });
                }
            }
            nodes.push(cycles::Node { enabled: self.toy.enabled(place), edges });
        }
        nodes
    }

    fn letter(&self, state: u32) -> Letter {
        self.toy.places[self.places[state as usize]].letter
    }

    /// The run is one of the system, it is fair, and its word is bad.
    fn judge_lasso(&self, lasso: &Lasso, fair: Fair, random: &mut Random) {
        let Lasso { prefix, cycle } = lasso;
        let mut at = 0;
        for edge in prefix.iter().chain(cycle) {
            assert_eq!(edge.state, at, "the edges of {lasso:?} connect");
            assert!(self.graph.edges_of(at).contains(&edge.number), "{lasso:?}");
            at = self.graph.target(edge.number);
        }
        let word = |edges: &[liveness::Edge]| -> Vec<Letter> {
            edges.iter().map(|edge| self.letter(edge.state)).collect()
        };
        let (mut first, repeated) = (word(prefix), word(cycle));
        let Some(start) = cycle.first() else {
            first.push(self.letter(at));
            return self.judge_prefix(&first, random);
        };
        assert_eq!(at, start.state, "the cycle of {lasso:?} closes");
        self.judge_word(&first, &repeated);
        let enabled = |edge: &liveness::Edge| self.toy.enabled(self.places[edge.state as usize]);
        let enabled: Vec<Processes> = cycle.iter().map(enabled).collect();
        let moved = cycle.iter().fold(0, |all, edge| all | self.graph.participants(edge.number));
        assert!(fair.allows(&enabled, moved), "{fair:?} {lasso:?}");
    }

    fn judge_word(&self, prefix: &[Letter], cycle: &[Letter]) {
        let told = || format!("{prefix:?} {cycle:?} {:?}", self.automaton);
        assert!(self.automaton.accepts(prefix, cycle), "{}", told());
        let satisfied = self.formula.is_none_or(|it| it.evaluate(prefix, cycle)[0]);
        assert!(satisfied, "{}", told());
    }

    /// Whatever follows, the word is bad.
    fn judge_prefix(&self, prefix: &[Letter], random: &mut Random) {
        (0..8).for_each(|letter| self.judge_word(prefix, &[letter]));
        for _ in 0..4 {
            let (more, cycle) = crate::support::random_word(random);
            self.judge_word(&[prefix, &more].concat(), &cycle);
        }
    }
}
