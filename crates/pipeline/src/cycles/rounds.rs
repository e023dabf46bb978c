//! The search for cycles: the state space, part by part and then whole, and what is decided on it.

use super::judge::judged;
use super::vacuity::{self, Vacuity};
use super::{Group, Reach, SearchedCycles, Temporal, failing};
use crate::decide::Searched;
use crate::host::Timed;
use crate::stage::Stage;
use crate::subject::{Boxed, Unsearchable};
use crate::workflow::{self, TRIAL_STATES, Workflow};
use crate::{Fair, Options};
use liveness::{Edge, Helpers, Lasso};
use ltl::Class;
use search::{Executed, Outcome, Reduce, SpaceRequest, StateSpace, Walker, Watch, Why};
use std::collections::VecDeque;
use std::sync::Arc;
use system::{Step, System};
use trace::Requirement;

/// The reference interpreter takes so many times as long for a state, or more.
const SLOWER: u64 = 64;
/// So many states are near.
const NEAR_STATES: u64 = 1 << 15;
/// A part of so many states is looked at before a space that is larger, by one thread.
const PART_STATES: u64 = 1 << 24;
/// For so many properties that need it the edges of the space are listed once.
const LISTED_FROM: usize = 3;
/// And if it has no more states than these: their edges take little. Fewer where small models
/// are to test that they are made as they are listed.
const SMALL_SPACE: usize = if cfg!(debug_assertions) { 1 << 7 } else { 1 << 16 };

/// Why nothing holds where some step ends in an error.
pub(crate) const BEHIND_ERRORS: &str =
    "some runs end in a run-time error; what comes behind is unknown";

/// What is known of a property.
pub(super) enum Decision {
    Open,
    Violated(Trail),
    /// Why it was not decided though the space is known.
    Undecided(Why),
}

/// A lasso by the steps of the system: those of the prefix, and those of the cycle, none if
/// the system stops there.
pub(super) struct Trail {
    pub(super) steps: Vec<Step>,
    pub(super) prefix: usize,
    pub(super) repeats: bool,
    /// Some steps were left out where it was looked for.
    pub(super) is_reduced: bool,
}

/// What was seen of the space.
struct Seen {
    outcome: Outcome,
    /// Some runs end in a run-time error.
    has_faults: bool,
    /// In some state a proposition cannot be evaluated.
    is_unreadable: bool,
    /// The way to such a state, if it was found in time.
    failing: Option<Trail>,
    /// Of formulas that hold.
    vacuity: Vec<(Requirement, Vacuity)>,
}

/// Looks for cycles that violate one of a group of properties.
///
/// # Errors
/// Options that cannot be served, or initial values that fail.
pub(crate) fn search<'a>(
    group: Group<'a>,
    options: &Options,
    (reach, states_left): (Reach, Option<u64>),
    watch: &mut Timed<'_>,
) -> Result<SearchedCycles<'a>, Unsearchable> {
    let reduces = may_reduce(&group, options);
    let stage = if reduces { Stage::whole(options).reduced() } else { Stage::whole(options) };
    let workflow = Workflow::only(stage);
    loop {
        let mut systems = watch.compile(|| group.form.systems(&workflow, options))?;
        let slower = if systems.fallback.is_some() { SLOWER } else { 1 };
        let mut decisions: Vec<Decision> =
            group.properties.iter().map(|_| Decision::Open).collect();
        let reduces = reduces && systems.systems[0].persistent_sets().is_some();
        let mut rounds = rounds((reach, states_left), options, reduces);
        let seen = loop {
            let round = rounds.pop_front().unwrap_or_default();
            let request = SpaceRequest {
                participants: options.fair != Fair::None,
                reduces: round.reduces,
                is_deep: reach != Reach::Near,
                states_max: round.states_max.map(|most| most.div_ceil(slower)),
                memory_bytes_max: options.memory,
            };
            let systems = (&mut *systems.systems, &request);
            let seen = look(&group, options, systems, &mut decisions, watch)?;
            if round.is_trial && !workflow::pays(&seen.outcome.statistics) {
                rounds.retain(|round| !round.reduces);
            }
            if rounds.is_empty() || !seen.goes_on(&decisions) {
                break seen;
            }
        };
        watch.compiled((systems.compile_time)());
        if group.form.learn(&systems.systems) {
            continue;
        }
        let fallback = systems.fallback;
        let state_bytes = systems.systems[0].width() * size_of::<system::Word>();
        drop(systems);
        let mut concluded = conclude(group, options, reach, (seen, decisions));
        (concluded.searched.fallback, concluded.searched.state_bytes) = (fallback, state_bytes);
        return Ok(concluded);
    }
}

/// A space that is looked at.
#[derive(Clone, Copy, Default)]
struct Round {
    /// How many states it may have.
    states_max: Option<u64>,
    /// With ample sets.
    reduces: bool,
    /// Whether to go on with ample sets depends on it.
    is_trial: bool,
}

/// The spaces that are looked at, one after the other. Where nobody asked for ample sets, they
/// are tried before all of a large space.
fn rounds(
    (reach, states_left): (Reach, Option<u64>),
    options: &Options,
    reduces: bool,
) -> VecDeque<Round> {
    let asked = reduces && !options.reduces_unasked();
    let parts = match (reach, states_left) {
        (Reach::All, None) if helpers(options) > 0 => vec![None],
        (Reach::All, None) => vec![Some(PART_STATES), None],
        (Reach::All, left) => vec![left],
        (_, left) => vec![Some(left.map_or(NEAR_STATES, |left| left.min(NEAR_STATES)))],
    };
    let of = |states_max| Round { states_max, reduces: asked, is_trial: false };
    let mut rounds: VecDeque<Round> = parts.into_iter().map(of).collect();
    if reduces && !asked && reach == Reach::All {
        let reduced = Round { states_max: states_left, reduces: true, is_trial: false };
        let trial = states_left.map_or(TRIAL_STATES, |left| left.min(TRIAL_STATES));
        rounds.push_front(reduced);
        rounds.push_front(Round { states_max: Some(trial), reduces: true, is_trial: true });
    }
    rounds
}

/// Whether ample sets keep the verdicts of all properties. A fair run may stutter where an
/// unfair one does not.
fn may_reduce(group: &Group<'_>, options: &Options) -> bool {
    let reduces = matches!(options.reduction(), Reduce::Ample | Reduce::SleepAmple);
    reduces
        && options.fair == Fair::None
        && group.properties.iter().all(Temporal::is_stutter_invariant)
}

/// The threads beside the first one, if somebody asked for them: what nested depth-first search
/// finds first, and whether components fit, may depend on how many there are.
fn helpers(options: &Options) -> usize {
    options.threads.map_or(0, |threads| threads.get() as usize - 1)
}

impl Seen {
    /// Whether a larger part may show more.
    fn goes_on(&self, decisions: &[Decision]) -> bool {
        let is_bounded = self.outcome.why_incomplete.contains(&Why::States);
        is_bounded && decisions.iter().any(|decision| matches!(decision, Decision::Open))
    }
}

/// Explores the space, or a part of it, and decides what it shows.
fn look(
    group: &Group<'_>,
    options: &Options,
    (systems, request): (&mut [Boxed<'_>], &SpaceRequest),
    decisions: &mut [Decision],
    watch: &mut Timed<'_>,
) -> Result<Seen, Unsearchable> {
    let (first, others) = systems.split_first_mut().expect("there is a system");
    let helpers = helpers(options);
    let mut copies: Vec<&mut (dyn System + Send)> =
        others.iter_mut().take(helpers).map(|other| &mut **other as _).collect();
    let explored = search::explore(&**first, &mut copies, request, watch);
    let (space, outcome) = explored.map_err(Unsearchable::from)?;
    let mut outcome = Outcome { executed: Executed::default(), ..outcome };
    let Some(space) = space else {
        let (has_faults, is_unreadable) = (false, false);
        let (failing, vacuity) = (None, Vec::new());
        return Ok(Seen { outcome, has_faults, is_unreadable, failing, vacuity });
    };
    outcome.statistics.store_bytes = space.bytes();
    let helpers = Helpers { copies: &mut copies, request };
    let (has_faults, is_unreadable) = (space.has_faults(), space.is_unreadable());
    let shows_all = outcome.why_incomplete.is_empty() && !has_faults && !is_unreadable;
    let asked = (group, options, shows_all);
    let (failing, vacuity) = decide(&space, asked, (&**first, helpers), decisions, watch)?;
    Ok(Seen { outcome, has_faults, is_unreadable, failing, vacuity })
}

/// Decides the properties that are open; also finds a way to where a proposition cannot be
/// evaluated and, where the space shows all runs, whether what premises ask for occurs.
fn decide(
    space: &StateSpace,
    (group, options, shows_all): (&Group<'_>, &Options, bool),
    (system, mut helpers): (&dyn System, Helpers<'_, '_>),
    decisions: &mut [Decision],
    watch: &mut dyn Watch,
) -> Result<(Option<Trail>, Vec<(Requirement, Vacuity)>), Unsearchable> {
    let mut walker = Walker::new(space, system, helpers.request, watch)?;
    let walks = walks(&group.properties, decisions);
    let pays = walks >= LISTED_FROM
        || walks > 0 && (space.states() <= SMALL_SPACE || walker.is_slow().unwrap_or(false));
    if pays && let Ok(edges) = walker.list() {
        walker.follow(&Arc::new(edges));
    }
    for (property, decision) in group.properties.iter().zip(&mut *decisions) {
        let (Ok(bad), false) = (&property.bad, matches!(decision, Decision::Violated(_))) else {
            continue;
        };
        let found =
            liveness::violation(&mut walker, &mut helpers, &bad.automaton, options.fairness());
        *decision = match found {
            Ok(Some(lasso)) => Decision::Violated(steps(space, system, &lasso)),
            Ok(None) => Decision::Open,
            Err(why) => Decision::Undecided(why),
        };
    }
    let way = liveness::unreadable(&mut walker).unwrap_or_default();
    let way = way.map(|prefix| steps(space, system, &Lasso { prefix, cycle: Vec::new() }));
    let vacuity = match shows_all {
        true => vacuity::judge(&mut walker, &mut helpers, (group, options), decisions),
        false => Vec::new(),
    };
    Ok((way, vacuity))
}

/// How many properties are open that take a walk through the space.
fn walks(properties: &[Temporal], decisions: &[Decision]) -> usize {
    let walks = |(property, decision): &(&Temporal, &Decision)| {
        let is_open = !matches!(decision, Decision::Violated(_));
        is_open && property.bad.as_ref().is_ok_and(|bad| bad.automaton.class() != Class::Terminal)
    };
    properties.iter().zip(decisions).filter(walks).count()
}

fn steps(space: &StateSpace, system: &dyn System, lasso: &Lasso) -> Trail {
    let of = |edges: &[Edge]| -> Vec<Step> {
        let step = |edge: &Edge| space.step(system, (edge.from, edge.to), edge.moved);
        edges.iter().filter_map(step).collect()
    };
    let (mut steps, cycle) = (of(&lasso.prefix), of(&lasso.cycle));
    let prefix = steps.len();
    steps.extend(cycle);
    let is_reduced = space.is_reduced();
    Trail { steps, prefix, repeats: !lasso.cycle.is_empty(), is_reduced }
}

fn conclude<'a>(
    group: Group<'a>,
    options: &Options,
    reach: Reach,
    (seen, decisions): (Seen, Vec<Decision>),
) -> SearchedCycles<'a> {
    let (mut found, mut held, mut open) = (Vec::new(), Vec::new(), Vec::new());
    let Seen { mut outcome, has_faults, is_unreadable, failing, vacuity } = seen;
    let failed = failing.and_then(|trail| failing::found(&group, trail));
    let unread = match (is_unreadable, has_faults) {
        (true, _) => Some(failing::reason(failed.as_ref())),
        (false, true) => Some(BEHIND_ERRORS.to_owned()),
        (false, false) => None,
    };
    let is_complete = outcome.why_incomplete.is_empty();
    let all_violated = decisions.iter().all(|it| matches!(it, Decision::Violated(_)));
    for (property, decision) in group.properties.iter().zip(decisions) {
        let requirement = property.requirement;
        match (decision, &property.bad) {
            (_, Err(why)) => open.push((requirement, why.clone())),
            (Decision::Violated(trail), Ok(bad)) => {
                found.push(judged(&group, options, property, bad, trail));
            }
            (Decision::Undecided(Why::States), _) => {
                let why = "fairness is decided for at most 128 processes";
                open.push((requirement, why.to_owned()));
            }
            (Decision::Undecided(why), _) => outcome.why_incomplete.push(why),
            (Decision::Open, _) if unread.is_some() => {
                open.extend(unread.clone().map(|why| (requirement, why)));
            }
            (Decision::Open, _) if is_complete => held.push(requirement),
            (Decision::Open, _) => {}
        }
    }
    outcome.why_incomplete.dedup();
    let Group { pass, form, .. } = group;
    // Nothing is left to look for, or a search of everything comes.
    let is_bounded = outcome.why_incomplete == [Why::States];
    let is_part = is_bounded && (all_violated || reach != Reach::All);
    let name = if is_part { reach.name() } else { Reach::All.name() };
    if is_part {
        outcome.why_incomplete.clear();
    }
    let stage = Stage { name: name.to_owned(), ..Stage::whole(options).reduced() };
    let mut reductions = form.reductions();
    reductions.extend(stage.state_reduction(&outcome));
    let searched = Searched {
        pass,
        outcome,
        executed: Vec::new(),
        uncounted: false,
        reductions,
        form,
        state_bytes: 0,
        fallback: None,
        stage,
        before: Vec::new(),
        is_part,
    };
    SearchedCycles { searched, found, failed, held, open, vacuity }
}
