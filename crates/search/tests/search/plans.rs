//! Every plan on thousands of random graphs, against the judges.

use crate::graph::Graph;
use crate::judge::{Naive, Recursive, Rule};
use crate::toys::Counters;
use crate::{all_errors, counted, error_id, error_ids, replay, search};
use search::{
    CacheRequest, Coverage, Finding, Order, Outcome, Request, Shortest, StoreKind, Unwatched, Why,
    fewest_statements, shortest,
};
use std::collections::{BTreeSet, HashMap};
use system::{Step, Successors, System, Unlimited, Word};

const ORDERS: [Order; 3] = [Order::Exhaustive, Order::DepthFirst, Order::BreadthFirst];

/// The stores that keep every state and confuse none.
const EXACT: [StoreKind; 2] = [StoreKind::Compact, StoreKind::Full];

/// Paths meet again and again: only small graphs for the stores that forget.
const SMALL: (u64, u64) = (8, 3);
const LARGE: (u64, u64) = (40, 3);

fn each<A: Copy, B: Copy, const N: usize, const M: usize>(
    some: [A; N],
    others: [B; M],
) -> impl Iterator<Item = (A, B)> {
    some.into_iter().flat_map(move |one| others.map(|other| (one, other)))
}

fn graphs(count: u64, (nodes, edges): (u64, u64)) -> impl Iterator<Item = Graph> {
    (0..count).map(move |seed| Graph::random(seed, nodes, edges))
}

#[test]
fn full_stores_count_and_find_what_the_naive_search_does() {
    for graph in graphs(4000, LARGE) {
        let naive = Naive::new(&graph);
        for (order, store) in each(ORDERS, EXACT) {
            let outcome = search(&graph, &all_errors(order, store, None));
            agree(&outcome, &naive, u64::MAX);
            assert!(outcome.complete());
            let states = naive.distance.len() as u64;
            assert_eq!(outcome.statistics.states, states);
            assert_eq!(outcome.statistics.transitions, 1 + naive.edges.len() as u64);
            replay(&graph, &outcome);
        }
    }
}

/// The collapsed states are the whole ones: the same search, finding by finding and
/// number by number, however it ends.
#[test]
fn the_compact_store_never_takes_one_state_for_another() {
    for graph in graphs(2000, LARGE) {
        for order in ORDERS {
            for states_max in [None, Some(5), Some(17)] {
                let request = Request { states_max, ..all_errors(order, StoreKind::Full, None) };
                same_outcome(&graph, &request);
                same_outcome(&graph, &Request { all_errors: false, ..request });
            }
        }
    }
}

pub(crate) fn same_outcome(system: &impl System, request: &Request) {
    let whole = search(system, request);
    let collapsed = search(system, &Request { store: StoreKind::Compact, ..*request });
    assert_eq!(counted(&collapsed), counted(&whole));
    assert_eq!(collapsed.findings, whole.findings);
    assert_eq!(collapsed.residuals, whole.residuals);
    assert_eq!(collapsed.why_incomplete, whole.why_incomplete);
    assert_eq!(collapsed.executed, whole.executed);
}

/// Findings, residuals, coverage: all that is within the bound, each once.
fn agree(outcome: &Outcome, naive: &Naive, bound: u64) {
    let statistics = outcome.statistics;
    assert_eq!(statistics.transitions, statistics.states + statistics.matched);
    assert_eq!(error_ids(&outcome.findings), naive.errors_within(bound));
    assert_eq!(error_ids(&outcome.residuals), naive.residuals_within(bound));
    assert_eq!(outcome.findings.len() as u64, statistics.errors);
    assert_eq!(outcome.residuals.len() as u64, statistics.residuals);
    assert_eq!(statistics.errors, naive.errors_within(bound).len() as u64);
    assert_eq!(statistics.residuals, naive.residuals_within(bound).len() as u64);
    let executed: BTreeSet<_> = outcome.executed.iter().collect();
    assert_eq!(executed, naive.executed_within(bound));
    assert_eq!(executed.len(), outcome.executed.len());
}

#[test]
fn depth_first_is_the_recursive_search_step_by_step() {
    for graph in graphs(3000, LARGE) {
        for store in EXACT {
            let request = all_errors(Order::DepthFirst, store, None);
            same_walk(&search(&graph, &request), &Recursive::new(&graph, Rule::All, None));
        }
    }
}

/// The same counts, the same errors in the same order by the same trails.
fn same_walk<S: System>(outcome: &Outcome, judge: &Recursive<S>) {
    let statistics = outcome.statistics;
    assert_eq!(statistics.states, judge.states);
    assert_eq!(statistics.matched, judge.matched);
    assert_eq!(statistics.loops, judge.loops);
    assert_eq!(statistics.depth, judge.depth);
    let walk: Vec<_> = outcome.findings.iter().map(|f| (error_id(f), f.trail.clone())).collect();
    assert_eq!(walk, judge.errors);
}

#[test]
fn stores_of_the_path_are_the_recursive_search_and_miss_nothing() {
    for graph in graphs(3000, SMALL) {
        let naive = Naive::new(&graph);
        for (store, rule) in [(StoreKind::Path, Rule::Path), (StoreKind::Labelled, Rule::Labelled)]
        {
            for order in [Order::Exhaustive, Order::DepthFirst] {
                let outcome = search(&graph, &all_errors(order, store, None));
                agree(&outcome, &naive, u64::MAX);
                assert!(outcome.complete());
                same_walk(&outcome, &Recursive::new(&graph, rule, None));
                replay(&graph, &outcome);
            }
        }
    }
}

#[test]
fn a_depth_bound_keeps_exactly_what_is_within_it() {
    for graph in graphs(1200, (16, 3)) {
        let naive = Naive::new(&graph);
        for bound in 0..10 {
            for (order, store) in each(ORDERS, EXACT) {
                let outcome = search(&graph, &all_errors(order, store, Some(bound)));
                agree(&outcome, &naive, bound);
                assert_eq!(outcome.statistics.states, naive.states_within(bound));
                truncated(&outcome, naive.truncated_at(bound));
                replay(&graph, &outcome);
                if order != Order::BreadthFirst {
                    let judge = Recursive::new(&graph, Rule::Bounded, Some(bound));
                    same_walk(&outcome, &judge);
                }
            }
        }
    }
}

fn truncated(outcome: &Outcome, expected: u64) {
    assert_eq!(outcome.statistics.truncated, expected);
    let why = if expected > 0 { vec![Why::Depth] } else { vec![] };
    assert_eq!(outcome.why_incomplete, why);
}

#[test]
fn a_depth_bound_on_a_path_cuts_branches() {
    for graph in graphs(800, SMALL) {
        let naive = Naive::new(&graph);
        for bound in 0..10 {
            for (store, rule) in
                [(StoreKind::Path, Rule::Path), (StoreKind::Labelled, Rule::Labelled)]
            {
                let outcome = search(&graph, &all_errors(Order::DepthFirst, store, Some(bound)));
                let judge = Recursive::new(&graph, rule, Some(bound));
                agree(&outcome, &naive, bound);
                same_walk(&outcome, &judge);
                truncated(&outcome, judge.cut);
            }
        }
    }
}

#[test]
fn the_first_error_ends_the_search() {
    for graph in graphs(2000, SMALL) {
        let naive = Naive::new(&graph);
        for store in [StoreKind::Compact, StoreKind::Full, StoreKind::Labelled, StoreKind::Path] {
            for order in ORDERS {
                if !EXACT.contains(&store) && order == Order::BreadthFirst {
                    continue;
                }
                let outcome = search(&graph, &Request { order, store, ..Request::default() });
                let first: &[Why] = if naive.errors.is_empty() { &[] } else { &[Why::FirstError] };
                assert_eq!(outcome.why_incomplete, first);
                assert_eq!(outcome.findings.len(), first.len());
                assert!(error_ids(&outcome.findings).is_subset(&naive.errors_within(u64::MAX)));
                let statistics = outcome.statistics;
                assert_eq!(statistics.transitions, statistics.states + statistics.matched);
                replay(&graph, &outcome);
            }
        }
    }
}

#[test]
fn breadth_first_trails_are_shortest() {
    for graph in graphs(4000, LARGE) {
        let naive = Naive::new(&graph);
        let outcome = search(&graph, &all_errors(Order::BreadthFirst, StoreKind::Compact, None));
        let lengths: Vec<_> = outcome.findings.iter().map(|f| f.trail.len() as u64).collect();
        assert!(
            outcome.findings.iter().all(|f| f.trail.len() as u64 == naive.errors[&error_id(f)])
        );
        assert!(lengths.is_sorted());
        assert_eq!(outcome.statistics.depth, *naive.distance.values().max().unwrap());
        let order = Order::BreadthFirst;
        let first = search(&graph, &Request { order, ..Request::default() });
        let found = first.findings.first().map(|f| f.trail.len() as u64);
        assert_eq!(found, naive.errors.values().min().copied());
    }
}

#[test]
fn shortest_is_shortest_or_says_why_not() {
    for graph in graphs(2000, (12, 3)) {
        let naive = Naive::new(&graph);
        let targets = naive.errors.iter().chain(&naive.residuals);
        for ((state, step), distance) in targets {
            for budget in [0, 1, 2, 4, naive.distance.len() as u64] {
                let mut accept =
                    |c: &search::Candidate| c.state == state.as_slice() && c.step == *step;
                match shortest(&graph, &states(budget), &mut accept, &mut Unwatched) {
                    Shortest::Found(finding) => is_at(&finding, *distance),
                    Shortest::NotWithinBudget => assert!(budget < naive.distance.len() as u64),
                    Shortest::Nowhere => panic!("there is one"),
                }
            }
        }
        let none = shortest(&graph, &Request::default(), &mut |_| false, &mut Unwatched);
        assert_eq!(none, Shortest::Nowhere);
    }
}

#[test]
fn fewest_statements_are_fewest() {
    let mut reached = 0;
    for (seed, graph) in (0..).zip(graphs(3000, (12, 3))) {
        let graph = graph.with_sequences(seed);
        let naive = statements(&graph);
        let targets = Naive::new(&graph);
        for ((state, step), _) in targets.errors.iter().chain(&targets.residuals) {
            let mut accept = |c: &search::Candidate| c.state == state.as_slice() && c.step == *step;
            let request = Request::default();
            let found = fewest_statements(&graph, &request, &mut accept, &mut Unwatched);
            let Shortest::Found(finding) = found else { panic!("there is one") };
            let last = step.map_or(0, |step| step.statements());
            assert_eq!(
                finding.trail.iter().map(Step::statements).sum::<u64>(),
                naive[state] + last
            );
            reached += 1;
        }
        let none = fewest_statements(&graph, &Request::default(), &mut |_| false, &mut Unwatched);
        assert_eq!(none, Shortest::Nowhere);
        let few = fewest_statements(&graph, &states(0), &mut |_| true, &mut Unwatched);
        assert_eq!(few, Shortest::NotWithinBudget);
    }
    assert!(reached > 2000, "too few errors: {reached}");
}

/// The statements on the way to each state, by looking at all steps until nothing changes.
fn statements(graph: &Graph) -> HashMap<Vec<Word>, u64> {
    let mut initial = vec![0; graph.width()];
    graph.initial(&mut initial);
    let mut known = HashMap::from([(initial, 0)]);
    loop {
        let before = known.clone();
        for (state, statements) in &before {
            let mut batch = Successors::new(graph.width());
            graph.successors(state, &mut batch, &mut Unlimited);
            for (step, _, words) in batch.iter().filter(|(_, outcome, _)| outcome.enters()) {
                let way = statements + step.statements();
                let best = known.entry(words.to_vec()).or_insert(way);
                *best = way.min(*best);
            }
        }
        if before == known {
            return known;
        }
    }
}

fn is_at(finding: &Finding, distance: u64) {
    assert_eq!(finding.trail.len() as u64, distance);
}

#[test]
fn a_number_of_errors_ends_the_search() {
    for graph in graphs(1500, LARGE) {
        let errors = Naive::new(&graph).errors.len() as u64;
        for (order, store) in each(ORDERS, EXACT) {
            for most in 1..4 {
                let errors_max = std::num::NonZeroU64::new(most);
                let request = all_errors(order, store, None);
                let outcome = search(&graph, &Request { errors_max, ..request });
                assert_eq!(outcome.findings.len() as u64, errors.min(most));
                assert_eq!(outcome.why_incomplete == [Why::Errors], errors >= most);
            }
        }
    }
}

fn states(budget: u64) -> Request {
    Request { states_max: Some(budget), ..Request::default() }
}

/// Lossy stores never claim to be complete, never invent an error, say how much
/// they left out; with plenty of room that is next to nothing.
#[test]
fn lossy_stores_are_never_complete_and_tell_what_they_omit() {
    for graph in graphs(400, LARGE) {
        let naive = Naive::new(&graph);
        for store in [StoreKind::Hash64, StoreKind::Bitstate] {
            for bytes in [400_000, 2_000_000] {
                let request = Request {
                    memory_bytes_max: Some(bytes),
                    ..all_errors(Order::DepthFirst, store, None)
                };
                let outcome = search(&graph, &request);
                assert!(!outcome.complete());
                assert_eq!(outcome.why_incomplete, [Why::Lossy]);
                assert!(error_ids(&outcome.findings).is_subset(&naive.errors_within(u64::MAX)));
                replay(&graph, &outcome);
                let Coverage::Hashed { omitted } = outcome.coverage else { panic!("it hashes") };
                assert!((0.0..1e-4).contains(&omitted));
                assert_eq!(outcome.statistics.states, naive.distance.len() as u64);
            }
        }
    }
}

/// A field far too small: what was left out is of the size that was expected.
#[test]
fn a_crowded_bit_field_expects_what_it_omits() {
    let grid = Counters { counters: 4, top: 24 };
    for bytes in [300_000, 500_000, 1_000_000] {
        let request = Request {
            memory_bytes_max: Some(bytes),
            ..all_errors(Order::DepthFirst, StoreKind::Bitstate, None)
        };
        let outcome = search(&grid, &request);
        let Coverage::Hashed { omitted } = outcome.coverage else { panic!("it hashes") };
        let missing = 390_625 - outcome.statistics.states;
        assert!(missing > 0 && (0.3..3.0).contains(&(omitted / missing as f64)), "{missing}");
        assert!(outcome.statistics.peak_bytes <= bytes);
    }
}

/// Four counters and many words beside them.
struct Padded(Counters);

impl System for Padded {
    fn width(&self) -> usize {
        40
    }

    fn initial(&self, words: &mut [system::Word]) {
        words.fill(0);
    }

    fn successors(
        &self,
        state: &[system::Word],
        out: &mut system::Successors,
        _: &mut dyn system::Budget,
    ) -> bool {
        for agent in (0..self.0.counters).filter(|agent| state[*agent] < self.0.top) {
            let step = system::Step::new(agent as u32, 0, system::StepKind::Internal);
            out.push(step, state)[agent] += 1;
        }
        true
    }

    fn blocked(&self, _: &[system::Word]) -> system::Blocked {
        system::Blocked::ProperEnd
    }
}

/// A list that grows is held twice, so the last step to the size that was meant for the cache
/// finds no memory: it goes on with the size it has.
#[test]
fn a_cache_of_any_size_that_cannot_grow_forgets() {
    let grid = Padded(Counters { counters: 4, top: 18 });
    let request = Request {
        cache: Some(CacheRequest { states_max: None, ..CacheRequest::default() }),
        memory_bytes_max: Some(56 << 20),
        ..all_errors(Order::DepthFirst, StoreKind::Full, None)
    };
    let outcome = search(&grid, &request);
    assert_eq!(outcome.why_incomplete, []);
    let cache = outcome.cache.expect("a cache has figures");
    assert!(cache.evictions > 0 && cache.slots < 100_000, "{cache:?}");
    assert!(outcome.statistics.peak_bytes <= 56 << 20);
}
