//! Ample sets in the unordered loops: by remembered steps and without, by one thread and two,
//! last in first out and breadth first. They keep what the depth-first loop keeps, and every
//! edge that can be executed.

use crate::{known, run};
use engine::program::{Executor, PackedProgram, pack};
use program::Program;
use program::reference::Rules;
use search::{Order, Outcome, Plan, Reduce, Request, StoreKind, Unwatched};
use std::sync::Arc;
use system::System;

/// The unordered searches: order and store.
const SEARCHES: [(Order, StoreKind); 4] = [
    (Order::Exhaustive, StoreKind::Compact),
    (Order::BreadthFirst, StoreKind::Compact),
    (Order::Exhaustive, StoreKind::Full),
    (Order::BreadthFirst, StoreKind::Full),
];

/// All errors under ample sets.
fn request((order, store): (Order, StoreKind)) -> Request {
    Request { order, store, reduce: Reduce::Ample, all_errors: true, ..Request::default() }
}

/// What the unordered searches say of a system. What is looked for by remembered steps and
/// what is worked out for each state are the same sets.
pub(crate) fn outcomes<S: System>(name: &str, system: &S) -> Vec<Outcome> {
    let outcomes: Vec<Outcome> =
        SEARCHES.iter().map(|search| run(system, &request(*search))).collect();
    for outcome in &outcomes {
        assert!(outcome.complete(), "{name}: {:?}", outcome.why_incomplete);
    }
    for (remembered, worked_out) in [(0, 2), (1, 3)] {
        let [one, two] = [remembered, worked_out].map(|at| &outcomes[at].statistics);
        let figures = [one, two].map(|it| (it.states, it.transitions, it.left_out));
        assert_eq!(figures[0], figures[1], "{name}");
    }
    outcomes
}

/// A search by two threads with ample sets finds something iff the naive search does.
pub(crate) fn judge_threads<S: System + Send>(
    name: &str,
    (system, other): (&S, &mut S),
    fails: bool,
) {
    let plan = Plan::new(&request(SEARCHES[0])).expect("sound");
    let outcome = search::run(system, &mut [other], &plan, &mut Unwatched).expect("it has all");
    assert!(outcome.complete(), "{name}: {:?}", outcome.why_incomplete);
    let found = !(outcome.findings.is_empty() && outcome.residuals.is_empty());
    assert_eq!(found, fails, "{name}");
}

/// A program of which nothing was executed yet.
fn fresh(program: &Program, rules: Rules) -> Option<PackedProgram<'_, Arc<packed::Closures>>> {
    let dependency = system::Dependency::Fine;
    let (system, _) = known(program, rules, dependency, crate::STATES_MAX)?;
    let form = pack(program, rules, system.knowledge()).ok()?;
    let table = form.accesses();
    Some(form.on_closures().with_accesses(&table, dependency))
}

/// What is never executed with ample sets is never executed.
pub(crate) fn judge_coverage(name: &str, program: &Program, rules: Rules) {
    let executed = |request: &Request| {
        let system = fresh(program, rules)?;
        run(&system, request);
        Some(system.executed())
    };
    let all = Request { all_errors: true, ..Request::default() };
    let plain = executed(&all);
    for search in &SEARCHES[..2] {
        assert_eq!(executed(&request(*search)), plain, "{name}");
    }
}
