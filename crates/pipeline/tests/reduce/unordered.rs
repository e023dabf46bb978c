//! Ample sets in the unordered loops keep every edge that can be executed, last in first out and breadth
//! first; and what is looked for by remembered steps and what is worked out for each state are
//! the same sets.

use crate::{Found, run};
use engine::program::Executor;
use program::{Action, Program};
use search::{Order, Outcome, Reduce, Request, StoreKind};

/// All errors under ample sets.
fn request(order: Order, store: StoreKind) -> Request {
    Request { order, store, reduce: Reduce::Ample, all_errors: true, ..Request::default() }
}

/// What is never executed with ample sets is never executed, but for exits, which may wait for ever
/// where nobody can tell.
pub(crate) fn judge_coverage(name: &str, program: &Program, found: &Found<'_>) {
    let shown = |executed: Vec<Vec<bool>>| -> Vec<bool> {
        let edges = program.proctypes.iter().flat_map(|kind| &kind.edges);
        let edges = edges.zip(executed.into_iter().flatten());
        let shown = edges.filter(|(edge, _)| edge.action != Action::Die);
        shown.map(|(_, executed)| executed).collect()
    };
    let search = |request: &Request| {
        let system = found.fresh();
        let outcome = run(&system, request);
        assert!(outcome.complete(), "{name}: {:?}", outcome.why_incomplete);
        (shown(system.executed()), outcome)
    };
    let (all, _) = search(&Request { all_errors: true, ..Request::default() });
    for order in [Order::Exhaustive, Order::BreadthFirst] {
        let (executed, remembered) = search(&request(order, StoreKind::Compact));
        assert_eq!(executed, all, "{name}");
        let (_, worked_out) = search(&request(order, StoreKind::Full));
        let figures = |outcome: &Outcome| {
            let statistics = &outcome.statistics;
            (statistics.states, statistics.transitions, statistics.left_out)
        };
        assert_eq!(figures(&remembered), figures(&worked_out), "{name}");
    }
}
