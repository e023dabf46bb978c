//! The whole line, text to report, against the oracle.

use crate::judge::{Case, Judged, LISTED_MAX, WORLDS_MAX};
use crate::naive::{self, Naive};
use automata::{Network, ObserverId};
use base::Id;
use pipeline::{Engine, Memory, Options, Search, Source};
use proptest::prelude::*;
use report::{Kind, Report, Verdict};
use search::FindingKind;
use std::collections::BTreeSet;
use system::{Blocked, StepOutcome};

/// What a requirement is called in a report, in an order.
type Kinds = BTreeSet<String>;

/// `pipeline::check` under the sample's own options says what the oracle says.
pub(crate) fn check_agrees(case: &Case<'_>) -> Judged {
    let source = Source::new("sample.argos", case.text.as_bytes());
    let all_errors = case.options.all_errors && case.naive.errors.len() <= LISTED_MAX;
    let search = searched(case);
    let options = Options { all_errors, search, ..case.options.clone() };
    let checked = pipeline::check(source, &options, "argos", &mut Memory::default())
        .expect("the generator asks only for what is sound");
    prop_assert_eq!(&checked.internal_error, &None);
    let report = &checked.report;
    let wrong = !case.naive.errors.is_empty();
    if is_part(options.search) {
        let honest =
            [Verdict::Incomplete, if wrong { Verdict::Violated } else { Verdict::Incomplete }];
        prop_assert!(honest.contains(&report.verdict), "{:?}", report.verdict);
        let real = all_kinds(case);
        prop_assert!(real.is_none_or(|real| found(report).is_subset(&real)));
        return Ok(());
    }
    prop_assert_eq!(report.verdict, if wrong { Verdict::Violated } else { Verdict::Holds });
    // By default steps are left out where a state is as good as others.
    let reduces = report.runs.iter().any(|run| run.reductions.iter().any(|name| name == "ample"));
    if reduces {
        prop_assert!(report.stats.states as usize <= case.naive.worlds.len());
    } else if options.no_minimise && (all_errors || !wrong) {
        prop_assert_eq!(report.stats.states as usize, case.naive.worlds.len());
        prop_assert_eq!(report.stats.transitions as usize, 1 + case.naive.edges);
    }
    if let Some(all) = all_kinds(case) {
        prop_assert_eq!(found(report), all);
    }
    if all_errors { Ok(()) } else { first_agrees(&case.naive, report) }
}

/// A directed search needs an assertion, and the packed form that knows the way to it.
fn searched(case: &Case<'_>) -> Search {
    let aims = !case.networks.raw.observers.is_empty() && case.options.engine != Engine::Reference;
    match case.options.search {
        Search::Directed if !aims => Search::Exhaustive,
        search => search,
    }
}

/// Whether a search leaves something out.
fn is_part(search: Search) -> bool {
    use Search::{Auto, Bfs, Dfs, Directed, Exhaustive};
    !matches!(search, Auto | Exhaustive | Dfs | Bfs | Directed)
}

fn found(report: &Report) -> Kinds {
    report.errors.iter().map(|error| word(error.kind)).collect()
}

/// Every kind of error: a branch that ends at a violation is followed again without that
/// assertion. None if the state space is too large for the oracle without its cuts.
fn all_kinds(case: &Case<'_>) -> Option<Kinds> {
    let mut expected = kinds(&case.naive);
    let mut network = case.networks.raw.clone();
    let mut failed = failing(&case.naive);
    while !failed.is_empty() {
        network = without(&network, &failed);
        let naive = naive::search(&network, 4 * WORLDS_MAX)?;
        expected.extend(kinds(&naive));
        failed = failing(&naive);
    }
    Some(expected)
}

/// If the first error is called shortest it is.
fn first_agrees(naive: &Naive, report: &Report) -> Judged {
    prop_assert_eq!(report.errors.is_empty(), naive.errors.is_empty());
    for error in report.errors.iter().take(1).filter(|error| error.length == "shortest") {
        let same = naive.errors.iter().filter(|it| word(kind(it.kind)) == word(error.kind));
        let distances: Vec<usize> = same.map(|it| it.distance).collect();
        prop_assert!(distances.contains(&error.steps));
        if error.kind != Kind::Assertion {
            // Several assertions share a kind; the others do not.
            prop_assert_eq!(distances.iter().min(), Some(&error.steps));
        }
    }
    Ok(())
}

fn kinds(naive: &Naive) -> Kinds {
    naive.errors.iter().map(|error| word(kind(error.kind))).collect()
}

fn word(kind: Kind) -> String {
    format!("{kind:?}")
}

fn kind(kind: FindingKind) -> Kind {
    match kind {
        FindingKind::Step(StepOutcome::Violation(_))
        | FindingKind::Blocked(Blocked::Violation(_)) => Kind::Assertion,
        FindingKind::Step(_) => Kind::DivisionByZero,
        FindingKind::Blocked(Blocked::BlockedSend) => Kind::BlockedSend,
        FindingKind::Blocked(Blocked::UnspecifiedReception) => Kind::UnspecifiedReception,
        FindingKind::Blocked(_) => Kind::Deadlock,
    }
}

/// The assertions that fail.
fn failing(naive: &Naive) -> BTreeSet<usize> {
    let number = |kind: FindingKind| match kind {
        FindingKind::Step(StepOutcome::Violation(number))
        | FindingKind::Blocked(Blocked::Violation(number)) => Some(number as usize),
        _ => None,
    };
    naive.errors.iter().filter_map(|error| number(error.kind)).collect()
}

fn without(network: &Network, failed: &BTreeSet<usize>) -> Network {
    let mut network = network.clone();
    let kept = |id: &ObserverId| !failed.contains(&id.index());
    let observers = network.observers.iter_ids().filter(|(id, _)| kept(id));
    network.observers = observers.map(|(_, observer)| observer.clone()).collect();
    network
}
