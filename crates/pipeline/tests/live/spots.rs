//! Infinite runs by the definition: all states of a model with their letters, and who moves.

use ltl::{Automaton, Formula};
use std::collections::HashMap;
use std::hash::Hash;
use testkit::cycles::{Edge, Fair, Node, has_fair_cycle};

/// Beside the propositions of formulas: some process is at a label of acceptance, some at one of
/// progress, and nobody can move.
pub(crate) const ACCEPTING: u32 = 60;
pub(crate) const PROGRESS: u32 = 61;
pub(crate) const HALTED: u32 = 62;

/// A state, as infinite runs see it.
pub(crate) struct Spot {
    pub(crate) letter: u64,
    pub(crate) enabled: u128,
    /// Some step ends in an error.
    pub(crate) fails: bool,
    /// Where the steps lead, and who takes part; a state without a step leads to itself.
    pub(crate) edges: Vec<(usize, u128)>,
}

/// Whether some run violates a property; with `stops`, a run may stop before an error.
pub(crate) fn is_violated(spots: &[Spot], bad: &Automaton, fair: Fair, stops: bool) -> bool {
    is_accepted(spots, bad, (0, bad.initial), fair, stops)
}

/// Whether the automaton accepts some run from a state, where it is in a state of its own.
pub(crate) fn is_accepted(
    spots: &[Spot],
    bad: &Automaton,
    start: (usize, u32),
    fair: Fair,
    stops: bool,
) -> bool {
    let mut pairs = vec![start];
    let mut numbers = HashMap::from([(pairs[0], 0)]);
    let mut nodes = Vec::new();
    while let Some(&(at, state)) = pairs.get(nodes.len()) {
        let spot = &spots[at];
        let mut edges = Vec::new();
        let moves = bad.states[state as usize].edges.iter();
        for by in moves.filter(|by| by.label.allows(spot.letter)) {
            let stop = Some((at, 0)).filter(|_| stops && spot.fails);
            for (to, moved) in spot.edges.iter().chain(&stop) {
                let to = *numbers.entry((*to, by.target)).or_insert_with(|| {
                    pairs.push((*to, by.target));
                    pairs.len() - 1
                });
                edges.push(Edge { to, marks: by.marks, moved: *moved });
            }
        }
        nodes.push(Node { enabled: spot.enabled, edges });
    }
    has_fair_cycle(&nodes, bad.all_marks(), fair)
}

/// States by number, in the order of their discovery.
pub(crate) struct Numbering<S> {
    pub(crate) states: Vec<S>,
    numbers: HashMap<S, usize>,
}

impl<S: Clone + Eq + Hash> Numbering<S> {
    pub(crate) fn new(first: S) -> Self {
        Self { numbers: HashMap::from([(first.clone(), 0)]), states: vec![first] }
    }

    pub(crate) fn number(&mut self, state: S) -> usize {
        *self.numbers.entry(state).or_insert_with_key(|state| {
            self.states.push(state.clone());
            self.states.len() - 1
        })
    }
}

/// What labels require: the name, and the runs that violate it.
pub(crate) fn labels(accept: bool, progress: bool) -> Vec<(String, Formula)> {
    let atom = |number| Box::new(Formula::Atom(number));
    let not = |number| Box::new(Formula::Not(atom(number)));
    let again = Formula::Always(Box::new(Formula::Eventually(atom(ACCEPTING))));
    let still = Box::new(Formula::And(not(PROGRESS), not(HALTED)));
    let still = Formula::Eventually(Box::new(Formula::Always(still)));
    let all = [(accept, "no acceptance cycle", again), (progress, "no non-progress cycle", still)];
    all.into_iter().filter(|it| it.0).map(|(_, name, bad)| (name.to_owned(), bad)).collect()
}

/// A formula whose propositions are numbered by their place in a list.
pub(crate) fn translated<P: Clone + PartialEq>(
    formula: &base::Formula<P>,
    atoms: &mut Vec<P>,
) -> Formula {
    use base::Formula as Plain;
    let mut of = |inner: &Plain<P>| Box::new(translated(inner, atoms));
    match formula {
        Plain::Holds(expr, _) => {
            let known = atoms.iter().position(|atom| atom == expr);
            let number = known.unwrap_or_else(|| {
                atoms.push(expr.clone());
                atoms.len() - 1
            });
            Formula::Atom(number as u32)
        }
        Plain::Not(f) => Formula::Not(of(f)),
        Plain::Next(f) => Formula::Next(of(f)),
        Plain::Always(f) => Formula::Always(of(f)),
        Plain::Eventually(f) => Formula::Eventually(of(f)),
        Plain::And(f, g) => Formula::And(of(f), of(g)),
        Plain::Or(f, g) => Formula::Or(of(f), of(g)),
        Plain::Implies(f, g) => Formula::Implies(of(f), of(g)),
        Plain::Equivalent(f, g) => Formula::Equivalent(of(f), of(g)),
        Plain::Until(f, g) => Formula::Until(of(f), of(g)),
        Plain::WeakUntil(f, g) => Formula::WeakUntil(of(f), of(g)),
        Plain::Release(f, g) => Formula::Release(of(f), of(g)),
    }
}
