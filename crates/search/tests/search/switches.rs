//! The shortest runs of random graphs with the fewest context switches, against all runs.

use crate::graph::Graph;
use crate::{all_errors, initial, search, successors};
use search::{
    Candidate, FewestSwitches, FindingKind, Order, Request, Shortest, StoreKind, Unwatched,
    fewest_statements, fewest_switches,
};
use system::{Blocked, Step, StepOutcome, Successors, System, Word};
use testkit::for_seeds;

/// Longer runs are too many.
const STATEMENTS_MAX: u64 = 9;

/// All runs of so many statements into a failure, one after the other.
struct AllRuns<'a> {
    graph: &'a Graph,
    fails: FindingKind,
    statements: u64,
    run: Vec<Step>,
    best: Option<FewestSwitches>,
    /// How many there are.
    count: usize,
}

impl AllRuns<'_> {
    /// Those that go on from a state.
    fn extend(&mut self, state: &[Word], left: u64) {
        let mut batch = Successors::new(self.graph.width());
        successors(self.graph, state, &mut batch);
        let rests =
            batch.is_empty() && FindingKind::Blocked(self.graph.blocked(state)) == self.fails;
        if rests && left == 0 {
            self.meet();
        }
        for (step, outcome, next) in batch.iter() {
            let Some(left) = left.checked_sub(step.statements()) else { continue };
            self.run.push(step);
            if outcome != StepOutcome::State
                && left == 0
                && FindingKind::Step(outcome) == self.fails
            {
                self.meet();
            }
            if outcome.enters() {
                self.extend(next, left);
            }
            self.run.pop();
        }
    }

    /// Of several best runs the first one stays.
    fn meet(&mut self) {
        let pairs = self.run.windows(2).filter(|pair| pair[0].agent != pair[1].agent);
        let switches = pairs.count() as u64;
        self.count += 1;
        if self.best.as_ref().is_none_or(|best| switches < best.switches) {
            self.best = Some(FewestSwitches { trail: self.run.clone(), switches });
        }
    }
}

fn of(
    graph: &Graph,
    fails: FindingKind,
    statements: u64,
    states: Option<u64>,
) -> Option<FewestSwitches> {
    let budget = Request { states_max: states, ..Request::default() };
    let mut accept = |candidate: &Candidate<'_>| candidate.kind == fails;
    fewest_switches(graph, statements, &budget, &mut accept, &mut Unwatched)
}

#[test]
fn random_graphs_agree_with_all_runs() {
    let (mut judged, mut chosen, mut undecided) = (0, 0, 0);
    for_seeds(0..6_000, |seed, random| {
        let graph = Graph::random(seed, 16, 4).with_agents(seed);
        let graph = if seed % 3 == 0 { graph.with_sequences(seed) } else { graph };
        let found =
            search(&graph, &all_errors(Order::BreadthFirst, StoreKind::Full, None)).findings;
        for fails in found.iter().map(|finding| finding.kind).take(3) {
            if fails == FindingKind::Blocked(Blocked::Residual) {
                continue;
            }
            let mut accept = |candidate: &Candidate<'_>| candidate.kind == fails;
            let shortest =
                fewest_statements(&graph, &Request::default(), &mut accept, &mut Unwatched);
            let Shortest::Found(shortest) = shortest else { panic!("{seed}: it was found") };
            let statements = shortest.trail.iter().map(Step::statements).sum();
            if statements == 0 || statements > STATEMENTS_MAX {
                continue;
            }
            let (run, best, count) = (Vec::new(), None, 0);
            let mut all = AllRuns { graph: &graph, fails, statements, run, best, count };
            all.extend(&initial(&graph), all.statements);
            let said = of(&graph, fails, statements, None);
            assert_eq!(said, all.best, "{seed}: {fails:?} of {count} runs");
            judged += 1;
            let own = shortest.trail.windows(2).filter(|pair| pair[0].agent != pair[1].agent);
            let own = own.count() as u64;
            chosen += usize::from(said.as_ref().is_some_and(|best| best.switches < own));
            // Whatever the budget, an answer is the same or none.
            match of(&graph, fails, statements, Some(random.below(12))) {
                None => undecided += 1,
                within => assert_eq!(within, said, "{seed}"),
            }
        }
    });
    let counts = [judged, chosen, undecided];
    let is_enough = judged > 3_000 && chosen > 50 && undecided > 500;
    assert!(std::env::var("ARGOS_SEED").is_ok() || is_enough, "{counts:?}");
}
