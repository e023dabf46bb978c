//! Every plan against a naive judge on random graphs, and by hand on toys.

mod asleep;
mod best;
mod caches;
mod divided;
mod graph;
mod judge;
mod limits;
mod no_return;
mod plans;
mod switches;
mod threads;
mod toys;
mod wide;

use search::{Order, Outcome, Plan, Request, Statistics, StoreKind, Unwatched, run};
use std::collections::BTreeSet;
use system::{Step, Successors, System, Unlimited, Word};

/// The identity of an error: its state and, for a step into an error, the step.
pub(crate) type ErrorId = (Vec<Word>, Option<Step>);

pub(crate) fn search(system: &impl System, request: &Request) -> Outcome {
    let plan = Plan::new(request).expect("a sound request");
    run(system, &mut [], &plan, &mut Unwatched).expect("it has what the plan needs")
}

pub(crate) fn all_errors(order: Order, store: StoreKind, depth: Option<u64>) -> Request {
    Request { order, store, depth, all_errors: true, ..Request::default() }
}

/// The numbers without the bytes, which depend on the store and the limit.
pub(crate) fn counted(outcome: &Outcome) -> Statistics {
    Statistics { store_bytes: 0, log_bytes: 0, peak_bytes: 0, ..outcome.statistics }
}

pub(crate) fn error_ids(findings: &[search::Finding]) -> BTreeSet<ErrorId> {
    findings.iter().map(error_id).collect()
}

pub(crate) fn error_id(finding: &search::Finding) -> ErrorId {
    let step = match finding.kind {
        search::FindingKind::Blocked(_) => None,
        search::FindingKind::Step(_) => finding.trail.last().copied(),
    };
    (finding.state.clone(), step)
}

/// Takes the steps of every trail on the system and judges where they end.
pub(crate) fn replay(system: &impl System, outcome: &Outcome) {
    for finding in outcome.findings.iter().chain(&outcome.residuals) {
        let mut state = initial(system);
        let mut batch = Successors::new(system.width());
        let (way, last) = match finding.kind {
            search::FindingKind::Blocked(_) => (&finding.trail[..], None),
            search::FindingKind::Step(_) => {
                let (last, way) = finding.trail.split_last().expect("its trail ends with it");
                (way, Some(*last))
            }
        };
        for &step in way {
            successors(system, &state, &mut batch);
            let next = batch.iter().find(|next| next.0 == step).expect("the step can be taken");
            assert_eq!(next.1, system::StepOutcome::State);
            state = next.2.to_vec();
        }
        assert_eq!(state, finding.state);
        successors(system, &state, &mut batch);
        match finding.kind {
            search::FindingKind::Blocked(rest) => {
                assert!(batch.is_empty());
                assert_eq!(rest, system.blocked(&state));
            }
            search::FindingKind::Step(outcome) => {
                assert!(batch.iter().any(|next| Some(next.0) == last && next.1 == outcome));
            }
        }
    }
}

pub(crate) fn initial(system: &impl System) -> Vec<Word> {
    let mut state = vec![0; system.width()];
    system.initial(&mut state);
    state
}

pub(crate) fn successors(system: &impl System, state: &[Word], batch: &mut Successors) {
    batch.clear();
    system.successors(state, batch, &mut Unlimited);
}
