//! Caches on random graphs: with a depth bound, for partial searches, of labelled states only,
//! by every way to forget.

use crate::graph::Graph;
use crate::judge::Naive;
use crate::{all_errors, error_ids, replay, search};
use search::{CacheRequest, Order, Outcome, Replace, Request, StoreKind, Why};
use system::LastStatement;

const REPLACES: [Replace; 8] = [
    Replace::Random,
    Replace::RoundRobin,
    Replace::Most,
    Replace::Least,
    Replace::Class,
    Replace::Subtree,
    Replace::Type,
    Replace::Avoid(LastStatement::Receive),
];

/// States a cache may create before it is given up.
const STATES_MAX: u64 = 20_000;

/// The search of a graph with a cache of a few states; nothing if the path alone filled it, or
/// it created too many.
fn cached(graph: &Graph, seed: u64, request: Request) -> Option<Outcome> {
    let replace = REPLACES[(seed % 8) as usize];
    let (states_max, scan) = (Some(2 + seed % 7), 1 + seed as u32 % 3);
    let cache = CacheRequest {
        states_max,
        replace,
        scan,
        seed,
        count_recreated: true,
        ..CacheRequest::default()
    };
    let request = Request { cache: Some(cache), states_max: Some(STATES_MAX), ..request };
    let outcome = search(graph, &request);
    replay(graph, &outcome);
    let cache = outcome.cache.expect("there is a cache");
    assert!(cache.pinned <= cache.slots, "{cache:?}");
    (!outcome.why_incomplete.iter().any(|why| [Why::Cache, Why::States].contains(why)))
        .then_some(outcome)
}

fn new_states(outcome: &Outcome) -> u64 {
    outcome.statistics.states - outcome.cache.expect("there is a cache").recreated
}

/// Everything within the bound is searched, nothing beyond it, and it is complete only if
/// nothing was beyond it.
#[test]
fn a_cache_with_a_depth_bound_keeps_exactly_what_is_within_it() {
    let mut judged = 0;
    for seed in 0..3000 {
        let graph = Graph::random(seed, 14, 3);
        let naive = Naive::new(&graph);
        for bound in (0..10).filter(|bound| (bound + seed) % 3 == 0) {
            for store in [StoreKind::Full, StoreKind::Labelled] {
                let order = [Order::Exhaustive, Order::DepthFirst][(seed % 2) as usize];
                let request = all_errors(order, store, Some(bound));
                let Some(outcome) = cached(&graph, seed, request) else { continue };
                judged += 1;
                assert_eq!(new_states(&outcome), naive.states_within(bound), "{seed} {bound}");
                assert_eq!(error_ids(&outcome.findings), naive.errors_within(bound));
                assert_eq!(error_ids(&outcome.residuals), naive.residuals_within(bound));
                let executed: std::collections::BTreeSet<_> = outcome.executed.iter().collect();
                assert_eq!(executed, naive.executed_within(bound));
                assert!(outcome.statistics.depth <= bound);
                assert!(!outcome.complete() || naive.truncated_at(bound) == 0);
                assert!(outcome.complete() || outcome.why_incomplete == [Why::Depth]);
            }
        }
    }
    assert!(judged > 12_000, "only {judged} fitted into their caches");
}

/// A cache of labelled states visits every state, as the labelled states of the path do.
#[test]
fn a_cache_of_labelled_states_misses_nothing() {
    let (mut judged, mut fewer) = (0, 0);
    for seed in 0..4000 {
        let graph = Graph::random(seed, 12, 3);
        let naive = Naive::new(&graph);
        let request = all_errors(Order::DepthFirst, StoreKind::Labelled, None);
        let Some(outcome) = cached(&graph, seed, request) else { continue };
        judged += 1;
        assert!(outcome.complete());
        assert_eq!(new_states(&outcome), naive.distance.len() as u64, "{seed}");
        assert_eq!(error_ids(&outcome.findings), naive.errors_within(u64::MAX));
        assert_eq!(error_ids(&outcome.residuals), naive.residuals_within(u64::MAX));
        fewer += u64::from(outcome.statistics.states < search(&graph, &request).statistics.states);
    }
    assert!(judged > 3000 && fewer > 100, "{judged} judged, {fewer} with fewer states");
}

/// A partial search with a cache finds real errors within the bound, and all where the bound
/// cut nothing off.
#[test]
fn a_partial_search_with_a_cache_is_complete_only_if_nothing_was_cut() {
    let (mut judged, mut complete) = (0, 0);
    for seed in 0..4000 {
        let graph = Graph::random(seed, 14, 3);
        let naive = Naive::new(&graph);
        let bound = 1 + seed % 12;
        for store in [StoreKind::Full, StoreKind::Labelled] {
            let request = all_errors(Order::Partial, store, Some(bound));
            let Some(outcome) = cached(&graph, seed, request) else { continue };
            judged += 1;
            let errors = error_ids(&outcome.findings);
            assert!(errors.is_subset(&naive.errors_within(bound)));
            assert!(outcome.statistics.depth <= bound);
            if outcome.complete() {
                complete += 1;
                assert_eq!(errors, naive.errors_within(u64::MAX));
                assert_eq!(new_states(&outcome), naive.distance.len() as u64);
            } else {
                assert_eq!(outcome.why_incomplete, [Why::Depth]);
            }
        }
    }
    assert!(judged > 5000 && complete > 1000, "{judged} judged, {complete} complete");
}
