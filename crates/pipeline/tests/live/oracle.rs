//! Infinite runs by the reference interpreter: all states, then the definition.

use crate::spots::{self, ACCEPTING, HALTED, Numbering, PROGRESS, Spot, translated};
use ltl::{Automaton, Formula, translate};
use program::reference::{self, Budget, Problem, Rules, State, Step};
use program::{Claim, ClaimKind, Expr, LocationMarks, ProctypeId, Program};
use std::cell::Cell;
use testkit::cycles::{Edge, Fair, Node, has_fair_cycle};

/// Everything a program can do.
pub(crate) struct Oracle {
    pub(crate) spots: Vec<Spot>,
    /// Some step ends in an error.
    pub(crate) has_faults: bool,
    /// A proposition cannot be evaluated in some state.
    pub(crate) is_unreadable: bool,
    /// What is required, and the runs that violate it.
    pub(crate) properties: Vec<(String, Automaton)>,
    /// The latter as formulas.
    pub(crate) bad: Vec<Formula>,
}

impl Oracle {
    /// Everything, if there are no more than so many states.
    pub(crate) fn of(program: &Program, most: usize) -> Option<Self> {
        let formulas = program.claims.iter().filter_map(|claim| match &claim.kind {
            ClaimKind::Ltl(formula) => Some((format!("ltl {}", claim.name), formula.clone())),
            ClaimKind::Never(_) => None,
        });
        Self::with(program, formulas.collect(), most)
    }

    /// The same with these formulas, each of which is required.
    pub(crate) fn with(
        program: &Program,
        formulas: Vec<(String, base::Formula<Expr>)>,
        most: usize,
    ) -> Option<Self> {
        let mut atoms = Vec::new();
        let required = |(name, formula)| (name, translated(&formula, &mut atoms).negated());
        let mut properties: Vec<(String, Formula)> = formulas.into_iter().map(required).collect();
        properties.extend(labels(program));
        let bad = properties.iter().map(|(_, bad)| bad.clone()).collect();
        let properties = properties.into_iter().map(|(name, bad)| {
            let automaton = translate(&bad).expect("a small formula");
            (name, automaton)
        });
        let properties = properties.collect();
        let (spots, has_faults, is_unreadable) = (Vec::new(), false, false);
        let mut oracle = Self { spots, has_faults, is_unreadable, properties, bad };
        oracle.explore(program, &atoms, most).then_some(oracle)
    }

    fn explore(&mut self, program: &Program, atoms: &[Expr], most: usize) -> bool {
        let rules = Rules::default();
        let Ok(first) = reference::initial(program, &rules) else { return false };
        let mut numbering = Numbering::new(first);
        while let Some(state) = numbering.states.get(self.spots.len()).cloned() {
            let Some(steps) = steps(program, &rules, &state) else { return false };
            let mut letter = self.letter(program, atoms, &state);
            let fails = steps.iter().any(|step| step.ends);
            let mut spot = Spot { letter: 0, enabled: enabled(&steps), fails, edges: Vec::new() };
            if steps.is_empty() {
                letter |= 1 << HALTED;
                spot.edges.push((self.spots.len(), 0));
            }
            self.has_faults |= fails;
            for step in steps.into_iter().filter(|step| !step.ends) {
                let moved = participants(&step);
                spot.edges.push((numbering.number(step.state), moved));
            }
            self.spots.push(Spot { letter, ..spot });
            if numbering.states.len() > most {
                return false;
            }
        }
        true
    }

    fn letter(&mut self, program: &Program, atoms: &[Expr], state: &State) -> u64 {
        let mut letter = 0;
        for (at, atom) in atoms.iter().enumerate() {
            match reference::holds(program, &Rules::default(), state, atom) {
                Ok(holds) => letter |= u64::from(holds) << at,
                Err(_) => self.is_unreadable = true,
            }
        }
        let somebody = |wanted: fn(&LocationMarks) -> bool| {
            state.processes.iter().any(|process| {
                wanted(&program.proctypes[process.proctype].locations[process.location].marks)
            })
        };
        letter
            | u64::from(somebody(|marks| marks.accept)) << ACCEPTING
            | u64::from(somebody(|marks| marks.progress)) << PROGRESS
    }

    /// Whether some run violates a property; with `stops`, a run may stop before an error.
    pub(crate) fn is_violated(&self, bad: &Automaton, fair: Fair, stops: bool) -> bool {
        spots::is_violated(&self.spots, bad, fair, stops)
    }
}

/// So many edges may be executed inside the steps of one state.
const EDGES_MAX: usize = 2_000;

/// Counts them.
struct Counted(Cell<usize>);

impl Budget for Counted {
    fn lasts(&self, _: usize) -> bool {
        self.0.set(self.0.get() + 1);
        self.0.get() <= EDGES_MAX
    }
}

/// The steps of a state, unless they are too many.
fn steps(program: &Program, rules: &Rules, state: &State) -> Option<Vec<Step>> {
    let budget = Counted(Cell::new(0));
    let steps = reference::steps_within(program, rules, state, &budget);
    (budget.0.get() <= EDGES_MAX).then_some(steps)
}

/// Everybody who executes something in a step.
fn participants(step: &Step) -> u128 {
    step.micros.iter().fold(0, |all, micro| {
        let peer = micro.peer.map_or(0, |(pid, _)| 1 << pid);
        all | 1 << micro.pid | peer
    })
}

fn enabled(steps: &[Step]) -> u128 {
    steps.iter().fold(0, |all, step| all | participants(step))
}

/// What labels require.
fn labels(program: &Program) -> Vec<(String, Formula)> {
    let has = |wanted: fn(&LocationMarks) -> bool| {
        let own =
            |id: &ProctypeId| !program.claims.iter().any(|it| it.kind == ClaimKind::Never(*id));
        let mut ids = program.proctypes.ids().filter(own);
        ids.any(|id| program.proctypes[id].locations.iter().any(|it| wanted(&it.marks)))
    };
    spots::labels(has(|marks| marks.accept), has(|marks| marks.progress))
}

/// A program beside its never claim, by the reference interpreter's own product.
pub(crate) struct Watched {
    nodes: Vec<Node>,
    /// The claim came to its end.
    ended: bool,
    /// Some other step ended in an error.
    pub(crate) has_faults: bool,
}

impl Watched {
    /// Everything, if there are no more than so many states.
    pub(crate) fn of(program: &Program, claim: &Claim, most: usize) -> Option<Self> {
        let ClaimKind::Never(id) = claim.kind else { return None };
        let (alone, rules) = (Rules::default(), Rules { claim: Some(id), ..Rules::default() });
        let mut numbering = Numbering::new(reference::initial(program, &rules).ok()?);
        let mut watched = Self { nodes: Vec::new(), ended: false, has_faults: false };
        while let Some(state) = numbering.states.get(watched.nodes.len()).cloned() {
            let at = state.claim.as_ref().map(|process| process.location);
            let accepts = at.is_some_and(|at| program.proctypes[id].locations[at].marks.accept);
            let system = State { claim: None, ..state.clone() };
            let enabled = enabled(&steps(program, &alone, &system)?);
            let mut edges = Vec::new();
            for step in steps(program, &rules, &state)? {
                let ended = step.failures.iter().any(|it| it.problem == Problem::ClaimEnd);
                watched.ended |= ended;
                watched.has_faults |= step.ends && !ended;
                if !step.ends {
                    let (marks, moved) = (u64::from(accepts), participants(&step));
                    edges.push(Edge { to: numbering.number(step.state), marks, moved });
                }
            }
            watched.nodes.push(Node { enabled, edges });
            if numbering.states.len() > most {
                return None;
            }
        }
        Some(watched)
    }

    /// Whether the claim is violated.
    pub(crate) fn is_violated(&self, fair: Fair) -> bool {
        self.ended || has_fair_cycle(&self.nodes, 1, fair)
    }
}
