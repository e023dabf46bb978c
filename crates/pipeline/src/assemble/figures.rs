//! The figures of a search, in the words of the contract.

use indexmap::IndexMap;
use report::{Kind, Report, Stats};
use search::{CacheFigures, Coverage, Outcome, Why};

/// The figures of a search, beside what the report knows already.
pub(crate) fn figures(report: &mut Report, outcome: &Outcome, errors: IndexMap<String, u64>) {
    let statistics = &outcome.statistics;
    let seconds = report.stats.seconds.search.max(1e-9);
    let cache = outcome.cache.unwrap_or_default();
    report.stats = Stats {
        states: statistics.states,
        matched: statistics.matched,
        transitions: statistics.transitions,
        depth: statistics.depth,
        truncated: statistics.truncated,
        errors,
        evictions: cache.evictions,
        recreated: cache.recreated,
        cache: outcome.cache.map(|cache| cache_figures(&cache)),
        states_per_second: (statistics.states as f64 / seconds) as u64,
        store_bytes: statistics.store_bytes,
        omitted_expected: match outcome.coverage {
            Coverage::Exact => None,
            Coverage::Hashed { omitted } => Some(omitted),
        },
        bytes_per_state: statistics.store_bytes as f64 / statistics.states.max(1) as f64,
        threads: 1 + statistics.helpers,
        ..report.stats.clone()
    };
}

/// What became of a cache.
fn cache_figures(cache: &CacheFigures) -> report::CacheStats {
    let reached = cache.revisits.unwrap_or_default().reached;
    let again = reached.windows(2).take_while(|pair| pair[0] > 0);
    report::CacheStats {
        states_max: cache.slots,
        recreated_exact: cache.exact,
        explodes: cache.explodes,
        revisits: again.map(|pair| pair[1] as f64 / pair[0] as f64).collect(),
    }
}

/// How many errors there are of each kind, with the proper ends that have messages left.
pub(crate) fn error_counts(
    kinds: impl Iterator<Item = Kind>,
    residuals: u64,
) -> IndexMap<String, u64> {
    let mut counts: IndexMap<String, u64> = IndexMap::new();
    for kind in kinds {
        *counts.entry(kind_word(kind)).or_default() += 1;
    }
    if residuals > 0 {
        counts.insert(kind_word(Kind::Residual), residuals);
    }
    counts
}

/// A kind in the words of the contract.
pub(crate) fn kind_word(kind: Kind) -> String {
    match serde_json::to_value(kind) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

/// Why the searches knew less than everything, in the words of the contract.
pub(crate) fn why_incomplete<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> Vec<String> {
    let (mut why, mut canonical) = (Vec::new(), true);
    for outcome in outcomes {
        why.extend_from_slice(&outcome.why_incomplete);
        canonical &= outcome.canonical;
    }
    why.sort_unstable();
    why.dedup();
    let uncanonical = (!canonical).then_some("not-canonical");
    why.into_iter().map(code).chain(uncanonical).map(str::to_owned).collect()
}

/// Why a search knew less than everything.
pub(super) fn code(why: Why) -> &'static str {
    match why {
        Why::FirstError => "first-error",
        Why::Errors => "errors",
        Why::Depth => "depth",
        Why::States => "states",
        Why::Memory => "memory",
        Why::Time => "time",
        Why::Interrupted => "interrupted",
        Why::Cache => "cache",
        Why::Lossy => "lossy-store",
        Why::Partial => "partial",
        Why::Folded => "fold",
    }
}
