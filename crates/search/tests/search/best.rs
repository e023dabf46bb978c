//! Best-first searches: complete whatever the estimate, and quick where it is good.

use crate::graph::Graph;
use crate::judge::Naive;
use crate::{all_errors, error_ids, replay, search};
use search::{Order, Plan, Refusal, Request, StoreKind, Unwatched, Why};
use system::{
    Blocked, Budget, Dice, Distances, EdgeCoverage, FAR, Step, StepKind, StepOutcome, Successors,
    System, Word,
};

/// A graph whose states have estimates by lot.
struct Estimated<'g>(&'g Graph, u64);

impl System for Estimated<'_> {
    fn width(&self) -> usize {
        self.0.width()
    }

    fn initial(&self, words: &mut [Word]) {
        self.0.initial(words);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool {
        self.0.successors(state, out, budget)
    }

    fn blocked(&self, state: &[Word]) -> Blocked {
        self.0.blocked(state)
    }

    fn edge_coverage(&self) -> Option<&dyn EdgeCoverage> {
        Some(self)
    }

    fn distances(&self) -> Option<&dyn Distances> {
        Some(self)
    }
}

impl EdgeCoverage for Estimated<'_> {
    fn executed(&self, _: &mut dyn FnMut(u32, u32)) {}
}

impl Distances for Estimated<'_> {
    fn distance(&self, state: &[Word]) -> u32 {
        Dice::new(state.iter().fold(self.1, |seed, word| seed ^ word)).roll() as u32 % (FAR + 1)
    }
}

#[test]
fn a_best_first_search_that_ends_is_complete() {
    for seed in 0..3000 {
        let graph = Graph::random(seed, 40, 3);
        let naive = Naive::new(&graph);
        for store in [StoreKind::Compact, StoreKind::Full] {
            let estimated = Estimated(&graph, seed);
            let outcome = search(&estimated, &all_errors(Order::BestFirst, store, None));
            assert!(outcome.complete());
            assert_eq!(outcome.statistics.states, naive.distance.len() as u64);
            assert_eq!(outcome.statistics.transitions, 1 + naive.edges.len() as u64);
            assert_eq!(error_ids(&outcome.findings), naive.errors_within(u64::MAX));
            assert_eq!(error_ids(&outcome.residuals), naive.residuals_within(u64::MAX));
            replay(&graph, &outcome);
        }
    }
}

/// Counters that must not all be at the top; who knows how far they are from there goes
/// straight up.
struct Climb {
    counters: usize,
    top: u64,
}

impl System for Climb {
    fn width(&self) -> usize {
        self.counters
    }

    fn initial(&self, words: &mut [Word]) {
        words.fill(0);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, _: &mut dyn Budget) -> bool {
        for counter in (0..self.counters).filter(|counter| state[*counter] < self.top) {
            let next = out.push(Step::new(counter as u32, 0, StepKind::Internal), state);
            next[counter] += 1;
            if next.iter().all(|count| *count == self.top) {
                out.set_outcome(StepOutcome::Violation(0));
            }
        }
        true
    }

    fn blocked(&self, _: &[Word]) -> Blocked {
        Blocked::ProperEnd
    }

    fn edge_coverage(&self) -> Option<&dyn EdgeCoverage> {
        Some(self)
    }

    fn distances(&self) -> Option<&dyn Distances> {
        Some(self)
    }
}

impl EdgeCoverage for Climb {
    fn executed(&self, _: &mut dyn FnMut(u32, u32)) {}
}

impl Distances for Climb {
    fn distance(&self, state: &[Word]) -> u32 {
        state.iter().map(|count| (self.top - count) as u32).sum()
    }
}

#[test]
fn a_good_estimate_leads_straight_to_the_error() {
    let climb = Climb { counters: 4, top: 12 };
    let states = |order| {
        let outcome = search(&climb, &Request { order, ..Request::default() });
        assert_eq!(outcome.why_incomplete, [Why::FirstError]);
        assert_eq!(outcome.findings[0].trail.len(), 48);
        outcome.statistics.states
    };
    assert!(states(Order::BreadthFirst) > 28_000);
    assert!(states(Order::BestFirst) <= 4 * 48);
}

#[test]
fn what_best_first_cannot_have_is_refused() {
    let best = Request { order: Order::BestFirst, ..Request::default() };
    let refused = [
        Request { depth: Some(9), ..best },
        Request { store: StoreKind::Path, ..best },
        Request { store: StoreKind::Bitstate, ..best },
    ];
    for request in refused {
        let refusal = Plan::new(&request).expect_err("it is refused");
        assert!(matches!(refusal, Refusal::BestFirstWith(_)), "{refusal}");
    }
    let graph = Graph::random(1, 8, 3);
    let plan = Plan::new(&best).expect("a sound plan");
    let outcome = search::run(&graph, &mut [], &plan, &mut Unwatched);
    assert_eq!(outcome.map(drop), Err(Refusal::NoDistances));
}
