//! The point of no return of every error of random graphs against the definition: all states, and
//! the least set that contains a state if each of its steps fails or leads into the set.

use crate::graph::Graph;
use crate::{all_errors, initial, search, successors};
use search::{
    Escape, Finding, FindingKind, NoReturn, Order, Request, StoreKind, Unwatched, Why, no_return,
};
use std::collections::{BTreeMap, BTreeSet};
use system::{Blocked, Step, Successors, System, Word};
use testkit::{for_seeds, naive};

type State = Vec<Word>;

/// What a state does.
struct Row {
    /// Each step: whether it fails, whether it ends in another error, else where it leads.
    steps: Vec<(Step, Result<State, bool>)>,
    rest: Blocked,
}

/// All states, and which of them are doomed.
struct Naive {
    rows: BTreeMap<State, Row>,
    doomed: BTreeSet<State>,
    fails: FindingKind,
}

impl Naive {
    fn new(system: &impl System, fails: FindingKind) -> Self {
        let mut batch = Successors::new(system.width());
        let mut rows = BTreeMap::new();
        naive::search(initial(system), usize::MAX, |state: &State, _| {
            successors(system, state, &mut batch);
            let steps = batch.iter().map(|(step, outcome, next)| {
                let error = FindingKind::Step(outcome) == fails;
                (step, if outcome.enters() { Ok(next.to_vec()) } else { Err(error) })
            });
            let steps: Vec<_> = steps.collect();
            let behind = steps.iter().filter_map(|(_, next)| next.clone().ok());
            let behind: Vec<State> = behind.collect();
            rows.insert(state.clone(), Row { steps, rest: system.blocked(state) });
            behind
        });
        let mut naive = Self { rows, doomed: BTreeSet::new(), fails };
        loop {
            let more = naive.rows.iter().filter(|(_, row)| naive.is_bad(row));
            let more: BTreeSet<State> = more.map(|(state, _)| state.clone()).collect();
            if more == naive.doomed {
                return naive;
            }
            naive.doomed = more;
        }
    }

    fn is_bad(&self, row: &Row) -> bool {
        let is_bad = |next: &Result<State, bool>| match next {
            Ok(next) => self.doomed.contains(next),
            Err(fails) => *fails,
        };
        match row.steps.as_slice() {
            [] => FindingKind::Blocked(row.rest) == self.fails,
            steps => steps.iter().all(|(_, next)| is_bad(next)),
        }
    }

    /// The states of a run, its initial one included.
    fn states(&self, start: State, run: &[Step]) -> Vec<State> {
        let mut states = vec![start];
        for step in run {
            let row = &self.rows[states.last().unwrap()];
            let next = row.steps.iter().find(|(own, _)| own == step).expect("it is a run");
            states.extend(next.1.clone().ok());
        }
        states
    }

    /// All states behind a step.
    fn behind(&self, next: &Result<State, bool>) -> BTreeSet<&State> {
        let mut all = BTreeSet::new();
        let mut waiting: Vec<&State> = next.iter().collect();
        while let Some(state) = waiting.pop() {
            if all.insert(self.rows.get_key_value(state).expect("it is reachable").0) {
                waiting.extend(self.rows[state].steps.iter().filter_map(|(_, n)| n.as_ref().ok()));
            }
        }
        all
    }

    /// Whether a run that begins with this step can avoid the failure in this way.
    fn escapes(&self, next: &Result<State, bool>, escape: Escape) -> bool {
        let behind = self.behind(next);
        let ends =
            |ends: &dyn Fn(&Row) -> bool| behind.iter().any(|state| ends(&self.rows[*state]));
        let is_other = |next: &Result<State, bool>| *next == Err(false);
        match escape {
            Escape::OtherError => {
                is_other(next) || ends(&|row| row.steps.iter().any(|(_, next)| is_other(next)))
            }
            Escape::Rest => {
                ends(&|row| row.steps.is_empty() && FindingKind::Blocked(row.rest) != self.fails)
            }
            Escape::Endless => behind.iter().any(|state| {
                let mut steps = self.rows[*state].steps.iter();
                steps.any(|(_, next)| self.behind(next).contains(state))
            }),
        }
    }

    fn judge(&self, start: State, finding: &Finding, said: NoReturn, seed: u64) {
        let states = self.states(start, &finding.trail);
        let last = states.iter().rposition(|state| !self.doomed.contains(state));
        match (last, said) {
            (None, NoReturn::Start) => {}
            (Some(last), NoReturn::Step { at, instead, escape }) => {
                assert_eq!(at, last, "{seed}: {:?}", finding.trail);
                let row = &self.rows[&states[at]];
                let next = row.steps.iter().find(|(step, _)| *step == instead);
                let (_, next) = next.expect("it is a step of that state");
                assert_ne!(*next, Err(true), "{seed}");
                assert!(next.as_ref().map_or(true, |next| !self.doomed.contains(next)), "{seed}");
                assert!(self.escapes(next, escape), "{seed}: {escape:?}");
            }
            other => panic!("{seed}: {other:?}"),
        }
    }
}

fn of(system: &impl System, finding: &Finding, states_max: Option<u64>) -> Option<NoReturn> {
    let budget = Request { states_max, ..Request::default() };
    let fails = |kind: FindingKind| kind == finding.kind;
    no_return(system, &finding.trail, &fails, &budget, &mut Unwatched)
}

/// Runs of breadth-first and of depth-first searches, which are long.
#[test]
fn random_graphs_agree_with_the_definition() {
    let (mut steps, mut starts, mut ways) = (0, 0, BTreeSet::new());
    for_seeds(0..4_000, |seed, _| {
        let graph = Graph::random(seed, 24, 3);
        let order = if seed % 2 == 0 { Order::BreadthFirst } else { Order::DepthFirst };
        let outcome = search(&graph, &all_errors(order, StoreKind::Full, None));
        for finding in outcome.findings.iter().take(6) {
            let said = of(&graph, finding, None).expect("it is a run into a failure");
            Naive::new(&graph, finding.kind).judge(initial(&graph), finding, said, seed);
            match said {
                NoReturn::Step { escape, .. } => {
                    steps += 1;
                    ways.insert(format!("{escape:?}"));
                }
                _ => starts += 1,
            }
        }
    });
    assert!(std::env::var("ARGOS_SEED").is_ok() || steps > 2_000 && starts > 200);
    assert!(std::env::var("ARGOS_SEED").is_ok() || ways.len() == 3, "{ways:?}");
}

/// Whatever the budget, an answer is the same or none.
#[test]
fn a_budget_makes_no_other_answer() {
    let mut undecided = 0;
    for_seeds(0..400, |seed, _| {
        let graph = Graph::random(seed, 24, 3);
        let outcome = search(&graph, &all_errors(Order::DepthFirst, StoreKind::Full, None));
        for finding in outcome.findings.iter().take(2) {
            let whole = of(&graph, finding, None);
            for states in 0..20 {
                match of(&graph, finding, Some(states)) {
                    Some(NoReturn::Undecided(Why::States)) => undecided += 1,
                    said => assert_eq!(said, whole, "{seed}"),
                }
            }
        }
    });
    assert!(std::env::var("ARGOS_SEED").is_ok() || undecided > 200);
}

/// What is no run into a failure has no point of no return.
#[test]
fn other_runs_are_refused() {
    let graph = (0..).map(|seed| Graph::random(seed, 24, 3));
    let found = graph.map(|graph| {
        let outcome = search(&graph, &all_errors(Order::BreadthFirst, StoreKind::Full, None));
        let long = outcome.findings.into_iter().find(|finding| finding.trail.len() > 2);
        long.map(|finding| (graph, finding))
    });
    let (graph, finding) = found.flatten().next().expect("some graph has a long run to an error");
    let shorter = Finding { trail: finding.trail[..1].to_vec(), ..finding.clone() };
    assert_eq!(of(&graph, &shorter, None), None, "it does not end in the failure");
    let mut other = finding;
    other.trail[1].edge += 1000;
    assert_eq!(of(&graph, &other, None), None, "it cannot be taken");
}
