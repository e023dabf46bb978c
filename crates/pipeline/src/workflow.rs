//! The papers' workflow (S26), `--search auto`: the most restrictive search first, then
//! weaker ones, until the first error or a complete search.
//!
//! A small model is searched completely at once: the probe is the answer. For others the
//! restricted searches come before the complete one. All of them together may create no
//! more states than a small part of what a complete search of such a model would: a
//! model without errors is hardly searched slower than by `--search bfs`. Budgets are
//! states, never seconds: the answer must not depend on how busy the machine is.

use crate::stage::{DEPTH_FACTOR, Stage, search_name};
use crate::{Options, Search, Store};
use restrict::{Filters, Keep};
use search::{Order, Outcome, Refusal, Request, StoreKind, Watch, Why};
use std::num::NonZeroUsize;
use system::Anatomy;

/// A model with no more states is searched completely at once.
const PROBE_STATES: u64 = 1_000;

/// What a search of a check was and what it took, beside its outcome.
#[derive(Clone, Debug)]
pub(crate) struct Passed {
    pub(crate) name: String,
    pub(crate) states: u64,
    pub(crate) transitions: u64,
}

/// The search that decided, and those before it.
pub(crate) struct Driven {
    pub(crate) outcome: Outcome,
    pub(crate) stage: Stage,
    pub(crate) before: Vec<Passed>,
}

/// The searches of a check, in order. `size` is the sum of the sizes of all machines.
pub(crate) fn stages(options: &Options, size: u64) -> Vec<Stage> {
    let complete = Stage::asked(options, size);
    if !is_staged(options) {
        return vec![complete];
    }
    let probe = limited(&complete, PROBE_STATES);
    let mut stages = vec![probe];
    stages.extend(restricted(options, &complete, size));
    stages.push(complete);
    stages
}

/// Whether a check goes from restricted searches to the complete one. Whoever asks for
/// all errors, another store, a depth or a folding wants that one search.
fn is_staged(options: &Options) -> bool {
    options.search == Search::Auto
        && matches!(options.store, Store::Compact | Store::Full)
        && options.depth.is_none()
        && options.folds.is_empty()
        && !options.all_errors
        && !options.spin_counts
}

fn limited(stage: &Stage, states: u64) -> Stage {
    let request = Request { states_max: Some(states), ..stage.request };
    Stage { request, ..stage.clone() }
}

/// The restricted searches, the most restrictive first.
fn restricted(options: &Options, complete: &Stage, size: u64) -> Vec<Stage> {
    let stage = |name: String, filters: Filters, depth: u64, states: u64| Stage {
        name,
        filters: Filters { inward: complete.filters.inward, timeouts_last: true, ..filters },
        walks: None,
        folds: Vec::new(),
        request: Request {
            order: Order::Partial,
            depth: Some(depth),
            states_max: Some(states),
            ..complete.request
        },
    };
    let (one, deep) = (Keep::OnePerProcess, size * DEPTH_FACTOR);
    let seed = options.seed.unwrap_or(0);
    let tight = Filters { keep: one, messages_max: Some(1), ..Filters::default() };
    let single = Filters { keep: one, ..Filters::default() };
    let scatter = Filters { keep: Keep::Processes(NonZeroUsize::MIN), ..Filters::default() };
    let name = |search: Search| search_name(search).to_owned();
    vec![
        stage(
            format!("{}, one message per channel", name(Search::OnePerProcess)),
            tight,
            size,
            100,
        ),
        stage(name(Search::OnePerProcess), single, deep, 200),
        stage(name(Search::Scatter), scatter, deep, 200),
        Stage {
            walks: Some(10),
            request: Request {
                order: Order::DepthFirst,
                store: StoreKind::Path,
                depth: Some(deep),
                states_max: Some(500),
                ..complete.request
            },
            ..stage(
                name(Search::Random),
                Filters { seed: Some(seed), ..Filters::default() },
                deep,
                500,
            )
        },
    ]
}

/// Runs the stages until one finds an error, is complete, or nobody waits any longer.
pub(crate) fn drive<S: Anatomy + Send>(
    system: &S,
    others: &mut [S],
    stages: &[Stage],
    watch: &mut dyn Watch,
) -> Result<Driven, Refusal> {
    let mut before = Vec::new();
    for (index, stage) in stages.iter().enumerate() {
        let mut outcome = stage.run(system, others, watch)?;
        let last = index + 1 == stages.len();
        if last || ends(stage, &outcome) {
            if !last {
                outcome.why_incomplete.retain(|why| stops(*why));
            }
            return Ok(Driven { outcome, stage: stage.clone(), before });
        }
        let (states, transitions) = (outcome.statistics.states, outcome.statistics.transitions);
        before.push(Passed { name: stage.name.clone(), states, transitions });
    }
    unreachable!("a check has at least one search, and the last one ends it")
}

/// Whether there is nothing left to do for a weaker search.
fn ends(stage: &Stage, outcome: &Outcome) -> bool {
    let stopped = |why: &Why| match why {
        Why::Memory => stage.is_whole(),
        why => stops(*why),
    };
    outcome.complete() || outcome.why_incomplete.iter().any(stopped)
}

/// Whether it ends a check, not only one search of it.
fn stops(why: Why) -> bool {
    matches!(why, Why::FirstError | Why::Errors | Why::Memory | Why::Time | Why::Interrupted)
}
