//! The workflow of Holzmann 1987, section 6, `--search auto`: the most restrictive search
//! first, then weaker ones, until the first error or a complete search.
//!
//! A small model is searched completely at once: the probe is the answer. For others a
//! round of restricted searches comes before the complete one, and whenever that one has
//! grown fivefold it waits for another round with larger budgets. A round costs no more
//! than a twelfth of what was spent before, so a model is hardly searched slower than by
//! `--search bfs`, whatever the restrictions find. Budgets are states, never seconds: the
//! answer must not depend on how busy the machine is.
//!
//! Restricted searches are bounded by a depth, and breadth first comes to no large one: with
//! each further round come depth-first probes without any bound, for errors that only a run of
//! tens of thousands of steps leads to. They take every step, in one order and in another.
//!
//! A scatter search that is asked for and finds nothing is made again with ties by lot.

use crate::stage::{DEPTH_FACTOR, Stage, search_name};
use crate::subject::Boxed;
use crate::{Options, Reduce, Search, Store};
use restrict::{Filters, Keep, Reorder};
use search::{
    Hurry, Order, Outcome, Patience, Progress, Refusal, Request, Statistics, Stop, StoreKind,
    Watch, Why,
};
use std::num::{NonZeroU32, NonZeroUsize};

/// A model with no more states is searched completely at once.
const PROBE_STATES: u64 = 1_000;

/// So many states show whether it pays to apply ample sets: whether of so many steps one or
/// more is left out.
pub(crate) const TRIAL_STATES: u64 = WAITS_FIRST;
const LEFT_OUT_SHARE: u64 = 8;
/// So many states show whether steps are remembered, if the first trial did not. Measured: where every
/// state has an agent that is asked, a search with ample sets takes three to four times as long
/// per state, so they pay only if more than so many times the steps are left out.
const LONG_TRIAL_STATES: u64 = 10 * TRIAL_STATES;
const MANY_LEFT_OUT: u64 = 2;

/// So many states show what symmetry comes to, in whatever order goes deepest: near the start all
/// processes are still where they began, and there is little to exchange.
const SYMMETRY_TRIAL_STATES: u64 = 1_000;
/// Measured: to put the successors of a state in order takes as long as to search so many states
/// by remembered steps.
const SYMMETRY_COST: u64 = 16;

/// A restricted search beside the complete one may hold one in so many bytes of the limit.
const MEMORY_SHARE: u64 = 32;

/// A search of so many states is worth the start of further threads.
const THREADS_FROM: u64 = 100_000;

/// When the complete search waits for the first time, and how much larger it is each
/// further time.
const WAITS_FIRST: u64 = 20_000;
const WAITS_GROWTH: u64 = 5;

/// So often a scatter search without a seed is made again, with the seeds from 1 on.
const LOTS: u64 = 8;

/// A round takes one state in so many of those that the complete search has.
const ROUND_SHARE: u64 = 12;

/// A depth-first probe may store so many states, or a share of those that the complete search
/// has: three probes are a sixth.
const DEEP_STATES: u64 = 20_000;
const DEEP_SHARE: u64 = 18;

/// What a search of a check was and what it took, beside its outcome.
#[derive(Clone, Debug)]
pub(crate) struct Passed {
    pub(crate) name: String,
    pub(crate) states: u64,
    pub(crate) transitions: u64,
}

impl Passed {
    fn new(name: &str, outcome: &Outcome) -> Self {
        let (states, transitions) = (outcome.statistics.states, outcome.statistics.transitions);
        Self { name: name.to_owned(), states, transitions }
    }
}

/// The search that decided, and those before it.
pub(crate) struct Decisive {
    pub(crate) outcome: Outcome,
    pub(crate) stage: Stage,
    pub(crate) before: Vec<Passed>,
}

/// The searches of a check.
#[derive(Clone, Debug)]
pub(crate) struct Workflow {
    /// The one that is asked for, and decides unless another one does before.
    last: Stage,
    /// The same with ample sets, if nobody asked whether to leave steps out.
    reduced: Option<Stage>,
    /// How many states all machines have together, and the seed, if there are others.
    staged: Option<(u64, u64)>,
    /// So often it is made again with ties by lot.
    lots: u64,
    /// Nobody asked for a number of threads.
    threads_later: bool,
    /// Whether there is time left to compile.
    patience: Patience,
}

impl Workflow {
    /// The searches for these options; `size` is the sum of the sizes of all machines.
    pub(crate) fn new(options: &Options, size: u64) -> Self {
        let staged = is_staged(options).then(|| (size, options.seed.unwrap_or(0)));
        let by_declaration = options.search == Search::Scatter && options.seed.is_none();
        let lots = if by_declaration && !options.all_errors { LOTS } else { 0 };
        let plain = Options { reduce: Reduce::None, ..options.clone() };
        let reduced = options.reduces_unasked().then(|| Stage::asked(options, size));
        let last = Stage::asked(if reduced.is_some() { &plain } else { options }, size);
        let unasked = options.threads.is_none() && options.search != Search::Bfs;
        let threads_later = unasked && last.is_for_threads();
        Self { staged, lots, reduced, threads_later, ..Self::only(last) }
    }

    /// The one search of all that looks for the first error of each kind.
    pub(crate) fn of_each_kind(options: &Options, size: u64) -> Self {
        let first = Options { all_errors: false, ..options.clone() };
        let mut workflow = Self { staged: None, lots: 0, ..Self::new(&first, size) };
        workflow.stages().for_each(|stage| {
            (stage.request.all_errors, stage.request.each_kind) = (true, true);
        });
        workflow
    }

    /// The same with at most so many states.
    pub(crate) fn within(mut self, states_max: Option<u64>) -> Self {
        self.stages().for_each(|stage| {
            stage.request.states_max = states_max.or(stage.request.states_max);
        });
        self
    }

    /// The same, for a state of each of these marks and for no error.
    pub(crate) fn seeking(mut self, marks: Option<NonZeroU32>) -> Self {
        self.last.request.marks = marks;
        self
    }

    /// A single search.
    pub(crate) fn only(last: Stage) -> Self {
        let (reduced, staged, patience) = (None, None, Patience::default());
        Self { last, reduced, staged, lots: 0, threads_later: false, patience }
    }

    fn stages(&mut self) -> impl Iterator<Item = &mut Stage> {
        std::iter::once(&mut self.last).chain(&mut self.reduced)
    }

    /// The same with so much time.
    pub(crate) fn timed(self, watch: &dyn Watch) -> Self {
        Self { patience: watch.patience(), ..self }
    }

    /// Whether there is time left to compile.
    pub(crate) fn lasts(&self) -> jit::Lasts {
        let patience = self.patience.clone();
        Box::new(move || patience.lasts())
    }

    /// One search by as many threads as are wanted. If nobody said how many, those beside the
    /// first one begin where it has become large, and again at the initial state: what it has
    /// stored by then takes no time to store once more.
    fn search<'a>(
        &self,
        stage: &Stage,
        (system, others): (&Boxed<'a>, &mut [Boxed<'a>]),
        watch: &mut dyn Watch,
    ) -> Result<Outcome, Refusal> {
        if !self.threads_later {
            return stage.run((system, others), watch);
        }
        let is_free =
            stage.request.states_max.is_none() && !stage.asks_of_steps() && !stage.symmetry;
        if others.is_empty() || !is_free {
            return stage.run((system, &mut []), watch);
        }
        let outcome = stage.within(THREADS_FROM).run((system, &mut []), watch)?;
        match outcome.why_incomplete == [Why::States] && !system.is_too_narrow() {
            true => stage.run((system, others), watch),
            false => Ok(outcome),
        }
    }

    /// How many systems are needed: one per thread, and one for what the complete search
    /// waits for.
    pub(crate) fn systems(&self, options: &Options) -> u32 {
        let unasked = if self.threads_later { processors() } else { 1 };
        options.threads.map_or(unasked, NonZeroU32::get) + u32::from(is_staged(options))
    }

    /// Whether it looks for processes that can be exchanged.
    pub(crate) fn asks_for_symmetry(&self) -> bool {
        self.last.symmetry
    }

    /// Whether it asks what steps touch, or what they are.
    pub(crate) fn asks_of_steps(&self) -> bool {
        self.last.asks_of_steps() || self.reduced.is_some()
    }
}

/// Whether ample sets pay where a trial left out so many steps.
pub(crate) fn pays(trial: &Statistics) -> bool {
    trial.left_out >= trial.transitions / LEFT_OUT_SHARE
}

/// Whether the steps of agents are remembered. To ask an agent takes as long as a few states
/// without ample sets, where it is not asked what it accesses.
fn remembers(trial: &Statistics) -> bool {
    trial.asked <= trial.states / 2
}

/// What trials came to.
enum Trial {
    /// One of them was complete.
    Decisive(Decisive),
    /// The search to make, and an error, perhaps not by the shortest run.
    Of(Box<Stage>, Option<Decisive>),
}

/// What a trial that ends a check came to; `last` is the search that follows if a run to an
/// error has to be shortened: it is shortest in a search of all steps.
fn concluded(trial: Stage, outcome: Outcome, last: &Stage) -> Trial {
    let decisive = decided(trial, outcome, Vec::new());
    match decisive.outcome.why_incomplete == [Why::FirstError] {
        true => Trial::Of(Box::new(last.clone()), Some(decisive)),
        false => Trial::Decisive(decisive),
    }
}

/// Tries ample sets where they are proven, and then symmetry.
fn try_reductions(
    system: &Boxed<'_>,
    workflow: &Workflow,
    watch: &mut dyn Watch,
) -> Result<Trial, Refusal> {
    let reduced = workflow.reduced.as_ref().filter(|_| system.persistent_sets().is_some());
    let Some(reduced) = reduced else {
        return Ok(Trial::Of(Box::new(workflow.last.clone()), None));
    };
    match try_ample_sets(system, (&workflow.last, reduced), watch)? {
        Trial::Of(last, None) => try_symmetry(system, *last, watch),
        decided => Ok(decided),
    }
}

/// Tries symmetry beside what the search to make leaves out.
fn try_symmetry(system: &Boxed<'_>, last: Stage, watch: &mut dyn Watch) -> Result<Trial, Refusal> {
    if system.symmetry().is_none() {
        return Ok(Trial::Of(Box::new(last), None));
    }
    let symmetric = last.symmetric();
    let trial = symmetric.in_any_order().within(SYMMETRY_TRIAL_STATES);
    let (outcome, states_for_one) = trial.run_symmetric(system, watch)?;
    if ends(&trial, &outcome) {
        return Ok(concluded(trial, outcome, &last));
    }
    let next = if states_for_one > SYMMETRY_COST { symmetric } else { last };
    Ok(Trial::Of(Box::new(next), None))
}

fn try_ample_sets(
    system: &Boxed<'_>,
    (plain, reduced): (&Stage, &Stage),
    watch: &mut dyn Watch,
) -> Result<Trial, Refusal> {
    for states in [TRIAL_STATES, LONG_TRIAL_STATES] {
        let trial = reduced.within(states);
        let outcome = trial.run((system, &mut []), watch)?;
        let statistics = &outcome.statistics;
        let few = statistics.left_out < MANY_LEFT_OUT * statistics.transitions;
        let forgets = states == LONG_TRIAL_STATES && few && !remembers(statistics);
        let pays = pays(statistics) && !forgets;
        let (last, is_sure) = (if pays { reduced } else { plain }, remembers(statistics));
        if ends(&trial, &outcome) {
            return Ok(concluded(trial, outcome, last));
        }
        if !pays || is_sure {
            return Ok(Trial::Of(Box::new(last.clone()), None));
        }
    }
    Ok(Trial::Of(Box::new(reduced.clone()), None))
}

fn processors() -> u32 {
    std::thread::available_parallelism().map_or(1, |all| all.get() as u32)
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
        && options.cache.is_none()
        && (options.reduction() == search::Reduce::Nothing || options.reduces_unasked())
}

/// The restricted searches, the most restrictive first: with a share of 1, 1,100 states.
fn round(last: &Stage, (size, seed): (u64, u64), share: u64) -> Vec<Stage> {
    let deep = size * DEPTH_FACTOR;
    let stage = |name: String, filters: Filters, depth: u64, states: u64| Stage {
        name,
        filters: Filters { local_first: last.filters.local_first, timeouts_last: true, ..filters },
        walks: None,
        folds: Vec::new(),
        symmetry: false,
        request: Request {
            order: Order::Partial,
            depth: Some(depth),
            states_max: Some(states * share),
            ..last.request
        },
    };
    let keep = |keep: Keep, seed: Option<u64>| Filters { keep, seed, ..Filters::default() };
    let name = |search: Search| search_name(search).to_owned();
    let (single, one) = (Keep::OnePerProcess, Keep::Processes(NonZeroUsize::MIN));
    let two = Keep::Processes(NonZeroUsize::MIN.saturating_add(1));
    let tight = Filters { messages_max: Some(1), ..keep(single, None) };
    let (per_process, scatter) = (name(Search::OnePerProcess), name(Search::Scatter));
    let mut stages = vec![
        stage(format!("{per_process}, one message per channel"), tight, size, 50),
        stage(per_process, keep(single, None), deep, 80),
        stage(scatter.clone(), keep(one, None), deep, 120),
    ];
    stages.extend((1..=4).map(|lot| {
        let seed = Some(seed.wrapping_add(lot));
        stage(format!("{scatter}, ties by lot"), keep(one, seed), deep, 110)
    }));
    stages.push(stage(format!("{scatter}, two processes"), keep(two, None), deep, 110));
    let mut walks = stage(name(Search::Random), keep(Keep::All, Some(seed)), deep, 300);
    walks.walks = Some(100);
    (walks.request.order, walks.request.store) = (Order::DepthFirst, StoreKind::Path);
    stages.push(walks);
    stages
}

/// Depth-first probes beside a search of so many states: in the order of pan, the other way
/// round, and in a random order.
fn deep(last: &Stage, seed: u64, states: u64) -> Vec<Stage> {
    let most = DEEP_STATES.max(states / DEEP_SHARE);
    let request = Request { order: Order::DepthFirst, states_max: Some(most), ..last.request };
    let probe = |name: &str, reorder: Option<Reorder>| Stage {
        name: format!("{}{name}", search_name(Search::Dfs)),
        filters: Filters { reorder, ..last.filters },
        symmetry: false,
        request,
        ..last.clone()
    };
    vec![
        probe("", None),
        probe(", last step first", Some(Reorder::Reversed)),
        probe(", in random order", Some(Reorder::Random(seed))),
    ]
}

/// Runs the searches until one finds an error, is complete, or nobody waits any longer.
/// Where there are several systems, the last one is for what the last search waits for.
pub(crate) fn drive(
    systems: &mut [Boxed<'_>],
    workflow: &Workflow,
    watch: &mut dyn Watch,
) -> Result<Decisive, Refusal> {
    let (system, others) = systems.split_first_mut().expect("there is a system");
    let system = &*system;
    let watch = &mut Room { system, watch };
    let mut before = Vec::new();
    let (last, found) = match try_reductions(system, workflow, watch)? {
        Trial::Decisive(decisive) => return Ok(decisive),
        Trial::Of(last, found) => (last, found),
    };
    let last = &*last;
    let Some(scale) = workflow.staged else {
        let mut stage = last.clone();
        let mut outcome = workflow.search(&stage, (system, others), watch)?;
        // Ties by lot, as long as nothing is found.
        for seed in 1..=workflow.lots {
            if ends(&stage, &outcome) {
                break;
            }
            note(&mut before, Passed::new(&stage.name, &outcome));
            stage = last.by_lot(seed);
            outcome = stage.run((system, &mut []), watch)?;
        }
        return Ok(Decisive { outcome, stage, before });
    };
    let plain = &workflow.last;
    let mut first = vec![plain.within(PROBE_STATES)];
    first.extend(round(plain, scale, 1));
    for stage in first {
        let outcome = stage.run((system, &mut []), watch)?;
        if ends(&stage, &outcome) {
            return Ok(decided(stage, outcome, before));
        }
        note(&mut before, Passed::new(&stage.name, &outcome));
    }
    if let Some(found) = found {
        return Ok(Decisive { before, ..found });
    }
    let Some((scout, others)) = others.split_last_mut() else {
        let outcome = workflow.search(last, (system, others), watch)?;
        return Ok(Decisive { outcome, stage: last.clone(), before });
    };
    let next = WAITS_FIRST;
    let name = last.name.clone();
    let mut beside = Beside { watch, scout, last: plain, name, scale, next, before, found: None };
    let outcome = workflow.search(last, (system, others), &mut beside)?;
    let Beside { found, mut before, .. } = beside;
    Ok(match found {
        None => Decisive { outcome, stage: last.clone(), before },
        Some((stage, found)) => {
            note(&mut before, Passed::new(&last.name, &outcome));
            decided(stage, found, before)
        }
    })
}

/// Adds a search to those before; several of one name are one.
fn note(before: &mut Vec<Passed>, passed: Passed) {
    match before.last_mut().filter(|last| last.name == passed.name) {
        Some(last) => {
            last.states += passed.states;
            last.transitions += passed.transitions;
        }
        None => before.push(passed),
    }
}

/// A check that ends with a search that is not the last one: what that one leaves out is
/// not why.
fn decided(stage: Stage, mut outcome: Outcome, before: Vec<Passed>) -> Decisive {
    let is_whole = outcome.complete();
    outcome.why_incomplete.retain(|why| stops(*why));
    // Not every mark is found, and this is no search of everything.
    if stage.request.marks.is_some() && !is_whole && outcome.why_incomplete.is_empty() {
        outcome.why_incomplete.push(Why::Errors);
    }
    Decisive { outcome, stage, before }
}

/// Whether there is nothing left to do for a weaker search.
fn ends(stage: &Stage, outcome: &Outcome) -> bool {
    let stopped = |why: &Why| match why {
        Why::Memory => stage.is_whole(),
        why => stops(*why),
    };
    let is_marked = stage.request.marks.is_some() && !outcome.findings.is_empty();
    outcome.complete() || is_marked || outcome.why_incomplete.iter().any(stopped)
}

/// Whether it ends a check, not only one search of it.
fn stops(why: Why) -> bool {
    matches!(why, Why::FirstError | Why::Errors | Why::Memory | Why::Time | Why::Interrupted)
}

/// Watches the complete search and now and then makes it wait for a round of restricted
/// ones. They have a system of their own: the other may be in the middle of a state.
struct Beside<'a, 's> {
    watch: &'a mut dyn Watch,
    scout: &'a Boxed<'s>,
    last: &'a Stage,
    /// The name of the complete search.
    name: String,
    scale: (u64, u64),
    /// So many states, and it waits again.
    next: u64,
    before: Vec<Passed>,
    found: Option<(Stage, Outcome)>,
}

impl Watch for Beside<'_, '_> {
    fn tick(&mut self, progress: &Progress) -> Option<Stop> {
        if let Some(stop) = self.watch.tick(progress) {
            return Some(stop);
        }
        if progress.states < self.next {
            return None;
        }
        self.next = progress.states.saturating_mul(WAITS_GROWTH);
        let (size, seed) = self.scale;
        let (seed, share) = (seed.wrapping_add(self.next), progress.states / ROUND_SHARE / 1_100);
        let mut stages = round(self.last, (size, seed), share.max(1));
        stages.extend(deep(self.last, seed, progress.states));
        // What the complete search holds is not for them; nor most of what it does not, for the
        // allocator may keep what they give back.
        let memory = self.last.request.memory_bytes_max;
        let own = |most: u64| most.saturating_sub(progress.bytes).min(most / MEMORY_SHARE);
        let memory = memory.map(own);
        stages.iter_mut().for_each(|stage| stage.request.memory_bytes_max = memory);
        for stage in stages {
            // The plan took the same order and store before.
            let outcome = stage.run((self.scout, &mut []), self.watch).ok()?;
            if outcome.why_incomplete != [Why::Memory] && ends(&stage, &outcome) {
                self.found = Some((stage, outcome));
                return Some(Stop::Interrupted);
            }
            note(&mut self.before, Passed::new("restricted searches again", &outcome));
        }
        self.watch.stage(&self.name);
        None
    }

    fn stage(&mut self, name: &str) {
        self.watch.stage(name);
    }

    fn resident_bytes(&self) -> u64 {
        self.watch.resident_bytes()
    }

    fn hurry(&self) -> Hurry {
        self.watch.hurry()
    }
}

/// Ends a search early that has to be made again anyway.
pub(crate) struct Room<'a, 's> {
    pub(crate) system: &'a Boxed<'s>,
    pub(crate) watch: &'a mut dyn Watch,
}

impl Watch for Room<'_, '_> {
    fn tick(&mut self, progress: &Progress) -> Option<Stop> {
        let again = self.system.is_too_narrow() || self.system.needs_long_numbers();
        self.watch.tick(progress).or(again.then_some(Stop::Interrupted))
    }

    fn stage(&mut self, name: &str) {
        self.watch.stage(name);
    }

    fn resident_bytes(&self) -> u64 {
        self.watch.resident_bytes()
    }

    fn hurry(&self) -> Hurry {
        self.watch.hurry()
    }
}
