//! What must be true of every answer.

use crate::toy::Toy;
use liveness::{Fairness, Helpers, Lasso};
use ltl::{Automaton, Formula};
use search::{Listed, SpaceRequest, StateSpace, Unwatched, Walker, explore};
use std::collections::HashMap;
use system::{HALTED, Letter, Processes, System};
use testkit::Random;
use testkit::cycles::{self, FAIRNESS, Fair};

/// A system, its state space, and an automaton whose words are looked for.
pub(crate) struct Case<'a> {
    pub(crate) toy: &'a Toy,
    pub(crate) space: StateSpace,
    request: SpaceRequest,
    /// The place of each state of the space.
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
        let request = SpaceRequest { participants, ..SpaceRequest::default() };
        let (case, complete) = Self::explored(toy, (automaton, formula), request, 0);
        assert!(complete);
        case.judge_space();
        case
    }

    /// A part of the space, of random size, or all of it by several threads.
    pub(crate) fn again(&self, random: &mut Random) -> Self {
        let properties = (self.automaton, self.formula);
        if random.chance(50) {
            let (case, complete) = Self::explored(self.toy, properties, self.request, 2);
            assert!(complete && case.space.states() == self.space.states());
            case.judge_space();
            return case;
        }
        let states_max = Some(1 + random.below(self.space.states() as u64));
        let request = SpaceRequest { states_max, is_deep: random.chance(50), ..self.request };
        Self::explored(self.toy, properties, request, 0).0
    }

    fn explored(
        toy: &'a Toy,
        (automaton, formula): (&'a Automaton, Option<&'a Formula>),
        request: SpaceRequest,
        threads: usize,
    ) -> (Self, bool) {
        let mut copies: Vec<Toy> = (0..threads).map(|_| toy.clone()).collect();
        let mut copies: Vec<&mut (dyn System + Send)> =
            copies.iter_mut().map(|copy| copy as &mut (dyn System + Send)).collect();
        let explored = explore(toy, &mut copies, &request, &mut Unwatched);
        let (space, outcome) = explored.expect("a toy has what a space needs");
        let space = space.expect("there is room");
        let states = 0..space.states() as u32;
        let places = states.map(|state| space.words(state)[0] as usize).collect();
        (Self { toy, space, request, places, automaton, formula }, outcome.complete())
    }

    /// What is found in a part is real.
    pub(crate) fn judge_part(&self, violated: &[bool], random: &mut Random) {
        for (fair, violated) in FAIRNESS.into_iter().zip(violated) {
            let found = self.violation(fair, 0, random.chance(50));
            assert!(*violated || found.is_none());
            found.iter().for_each(|lasso| self.judge_lasso(lasso, fair, random));
        }
    }

    /// The space is the system, whether edges are listed or made.
    fn judge_space(&self) {
        assert_eq!(self.places[self.space.initial() as usize], 0);
        let mut unwatched = Unwatched;
        let mut walker = self.walker(&mut unwatched);
        self.judge_edges(&mut walker);
        let edges = walker.list().expect("there is room");
        walker.follow(&edges.into());
        self.judge_edges(&mut walker);
    }

    fn walker<'w>(&'w self, unwatched: &'w mut Unwatched) -> Walker<'w> {
        Walker::new(&self.space, self.toy, &self.request, unwatched).expect("a toy knows")
    }

    fn judge_edges(&self, walker: &mut Walker<'_>) {
        let mut listed = Listed::default();
        assert_eq!(self.places[walker.original(walker.initial()) as usize], 0);
        for state in 0..self.places.len() as u32 {
            let place = &self.places[walker.original(state) as usize];
            let expansion = walker.expand(state, &mut listed).expect("nobody ends it");
            let set = |at: usize| listed.sets.get(at).map_or(0, |set| walker.participants(*set));
            let original = |target: &u32| walker.original(*target);
            let targets = listed.targets.iter().map(|at| self.places[original(at) as usize]);
            let edges: Vec<_> = targets.enumerate().map(|(at, to)| (to, set(at))).collect();
            let blind = |edge: (usize, Processes)| match self.request.participants {
                true => edge,
                false => (edge.0, 0),
            };
            let expected: Vec<_> = self.toy.runs_on(*place).into_iter().map(blind).collect();
            assert_eq!(edges, expected);
            let halts = self.toy.places[*place].edges.is_empty();
            let letter = expansion.letter.map(|letter| self.space.alphabet()[letter]);
            let halted = if halts { HALTED } else { 0 };
            assert_eq!(letter, Some(self.toy.places[*place].letter | halted));
            let enabled = if self.request.participants { self.toy.enabled(*place) } else { 0 };
            assert_eq!(expansion.enabled, enabled);
            for (at, (to, moved)) in edges.into_iter().enumerate() {
                let edge = (walker.original(state), walker.original(listed.targets[at]));
                self.judge_step(edge, (*place, to, moved));
            }
        }
    }

    /// The step of an edge is one that does what the edge says.
    fn judge_step(&self, edge: (u32, u32), (place, to, moved): (usize, usize, Processes)) {
        let participants = self.request.participants;
        let step = self.space.step(self.toy, edge, participants.then_some(moved));
        assert_eq!(step.is_none(), self.toy.places[place].edges.is_empty());
        let Some(step) = step else { return };
        let taken = self.toy.places[place].edges[step.edge as usize];
        assert_eq!(taken.0, to);
        assert!(!participants || taken.1 == moved);
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
        let found = self.violation(fair, 0, random.chance(30));
        let threads = random.below(20) as usize;
        if threads < 3 {
            let again = self.violation(fair, threads, random.chance(50));
            assert_eq!(again, found, "{threads} more threads");
        }
        let expected = cycles::has_fair_cycle(&self.product(), self.automaton.all_marks(), fair);
        assert_eq!(found.is_some(), expected, "{fair:?} {:?} {:?}", self.toy, self.automaton);
        if let Some(lasso) = &found {
            self.judge_lasso(lasso, fair, random);
        }
        expected
    }

    fn violation(&self, fair: Fair, threads: usize, listed: bool) -> Option<Lasso> {
        let mut copies: Vec<Toy> = (0..threads).map(|_| self.toy.clone()).collect();
        let mut copies: Vec<&mut (dyn System + Send)> =
            copies.iter_mut().map(|copy| copy as &mut (dyn System + Send)).collect();
        let mut unwatched = Unwatched;
        let mut walker = self.walker(&mut unwatched);
        if listed {
            let edges = walker.list().expect("there is room");
            walker.follow(&edges.into());
        }
        let mut helpers = Helpers { copies: &mut copies, request: &self.request };
        let found = liveness::violation(&mut walker, &mut helpers, self.automaton, fairness(fair));
        found.expect("there is room")
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
        let mut at = self.space.initial();
        for edge in prefix.iter().chain(cycle) {
            assert_eq!(edge.from, at, "the edges of {lasso:?} connect");
            at = edge.to;
            let (from, to) = (self.places[edge.from as usize], self.places[edge.to as usize]);
            let mut steps = self.toy.runs_on(from).into_iter();
            let fits = |step: (usize, Processes)| {
                step.0 == to && edge.moved.is_none_or(|moved| moved == step.1)
            };
            assert!(steps.any(fits), "{lasso:?}");
        }
        let word = |edges: &[liveness::Edge]| -> Vec<Letter> {
            edges.iter().map(|edge| self.letter(edge.from)).collect()
        };
        let (mut first, repeated) = (word(prefix), word(cycle));
        let Some(start) = cycle.first() else {
            first.push(self.letter(at));
            return self.judge_prefix(&first, random);
        };
        assert_eq!(at, start.from, "the cycle of {lasso:?} closes");
        self.judge_word(&first, &repeated);
        let enabled = |edge: &liveness::Edge| self.toy.enabled(self.places[edge.from as usize]);
        let enabled: Vec<Processes> = cycle.iter().map(enabled).collect();
        let moved = cycle.iter().fold(0, |all, edge| all | edge.moved.unwrap_or(0));
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
