//! What is required of infinite runs: formulas, never claims, acceptance and progress labels.
//!
//! The graph of the model is explored once ([`search::explore`]); every property is decided on
//! it by the emptiness of its product with an automaton ([`liveness`]). While the graph grows it
//! is looked at now and then: what is found in a part of it is real.
//!
//! A counterexample is executed again by the reference interpreter, which says what holds in
//! each state; on that word the formula is evaluated by its definition, and fairness by its
//! own. Nothing is reported that does not pass.

mod failing;

pub(crate) use failing::FailingAtom;

use crate::decide::{Decided, Found, Searched};
use crate::host::Timed;
use crate::shorten::Length;
use crate::stage::Stage;
use crate::subject::{Form, Pass, Subject, Unsearchable};
use crate::workflow::Workflow;
use crate::{Fair, Options, Search, Store, Usage};
use liveness::{Edge, Fairness, Lasso, NoRoom};
use ltl::{Automaton, Formula};
use search::{Coverage, Executed, Graph, GraphRequest, Outcome, Statistics, Why};
use system::{HALTED, Letter, Processes, Step, System};
use trace::{Mismatch, Requirement};

/// A property of infinite runs.
#[derive(Clone, Debug)]
pub(crate) struct Temporal {
    pub(crate) requirement: Requirement,
    /// What a run does that violates it beside going on for ever, in words.
    pub(crate) violation: &'static str,
    /// The runs that violate it; why not, if no automaton for them can be had.
    pub(crate) bad: Result<Bad, String>,
}

/// The runs that violate a property.
#[derive(Clone, Debug)]
pub(crate) struct Bad {
    /// Accepts them.
    pub(crate) automaton: Automaton,
    /// Says the same, unless the automaton is what the user wrote.
    pub(crate) formula: Option<Formula>,
}

impl Temporal {
    /// Whether a run that shows each state once, or often, violates it as well. A formula
    /// without `X` is such a property (Lamport 1983); a never claim may count steps.
    pub(crate) fn is_stutter_invariant(&self) -> bool {
        match &self.bad {
            Ok(bad) => bad.formula.as_ref().is_some_and(|formula| !formula.has_next()),
            Err(_) => true,
        }
    }
}

/// Properties that are decided on one graph; the form knows the propositions they are about.
pub(crate) struct Group<'a> {
    pub(crate) properties: Vec<Temporal>,
    pub(crate) pass: Pass,
    pub(crate) form: Box<dyn Form + 'a>,
}

/// A run by the reference interpreter, as a judge sees it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Witness {
    /// The letters of its states: one more than steps.
    pub(crate) letters: Vec<Letter>,
    /// Who could move in each state.
    pub(crate) enabled: Vec<Processes>,
    /// Who took part in each step.
    pub(crate) moved: Vec<Processes>,
    /// The last state is the one behind so many steps.
    pub(crate) returns: bool,
}

/// The part of a run that repeats, and what is to be said of it.
#[derive(Clone, Debug)]
pub(crate) struct Cycle {
    pub(crate) violation: &'static str,
    /// It begins behind so many steps. Without it the run is bad whatever follows.
    pub(crate) start: Option<usize>,
    /// Of each state of the run.
    pub(crate) letters: Vec<Letter>,
    /// What the run satisfies, if that is known as a formula.
    pub(crate) bad: Option<Formula>,
    /// Processes that could always move in the cycle, and never do.
    pub(crate) starved: Processes,
    /// Processes that could move again and again, and never do.
    pub(crate) starved_often: Processes,
    pub(crate) why: Vec<(&'static str, String)>,
    /// Instead: the run leads to where a proposition cannot be evaluated.
    pub(crate) failing: Option<FailingAtom>,
}

impl Cycle {
    /// None, but the end of a run in which a proposition cannot be evaluated.
    fn failing(atom: FailingAtom) -> Self {
        Self {
            violation: "",
            start: None,
            letters: Vec::new(),
            bad: None,
            starved: 0,
            starved_often: 0,
            why: Vec::new(),
            failing: Some(atom),
        }
    }
}

/// What is known of a property.
enum Decision {
    Open,
    Violated(Lasso),
    /// There was no memory to look for a cycle.
    NoRoom,
}

/// How far a search for cycles goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reach {
    /// Not far: most violations have a short run, and a small model is decided at once.
    Near,
    /// As many states on long runs, where a large model has cycles.
    Deep,
    /// As far as the limits allow.
    All,
}

impl Reach {
    fn name(self) -> &'static str {
        match self {
            Reach::Near => "cycles near the start",
            Reach::Deep => "cycles, depth first",
            Reach::All => "cycles",
        }
    }
}

/// The reference interpreter takes so many times as long for a state, or more.
const SLOWER: u64 = 64;

/// So many states are near.
const NEAR_STATES: u64 = 1 << 15;

/// Decides what is required of infinite runs and not decided yet.
///
/// # Errors
/// Options that cannot be served.
pub(crate) fn decide<'a>(
    subject: &'a dyn Subject,
    options: &Options,
    reach: Reach,
    decided: &mut Decided<'a>,
    watch: &mut Timed<'_>,
) -> Result<(), Usage> {
    if !is_whole(options) || decided.is_over(options) {
        return Ok(());
    }
    for mut group in subject.cycles(options) {
        group.properties.retain(|property| !decided.has_decided(property.requirement));
        if group.properties.is_empty() {
            continue;
        }
        match search(group, options, (reach, decided.states_left(options)), watch) {
            Ok(searched) => decided.absorb_cycles(searched),
            Err(Unsearchable::Refused(why)) => return Err(Usage(why)),
            Err(Unsearchable::InitialFailure) => {}
        }
    }
    Ok(())
}

/// So many states are stored to find out whether a fair run violates a property, too.
const FAIR_STATES: u64 = 200_000;

/// Says of every cycle that was found without fairness whether it is an unfair one only, as far
/// as a search within a budget can tell.
///
/// # Errors
/// Options that cannot be served.
pub(crate) fn explain_fairness<'a>(
    subject: &'a dyn Subject,
    options: &Options,
    decided: &mut Decided<'a>,
    watch: &mut Timed<'_>,
) -> Result<(), Usage> {
    let cyclic = |found: &&Found| found.cycle.as_ref().is_some_and(|cycle| cycle.start.is_some());
    let mut open: Vec<Requirement> =
        decided.found.iter().filter(cyclic).map(|found| found.requirement).collect();
    if options.fair != Fair::None || decided.is_over(options) {
        return Ok(());
    }
    for fair in [Fair::Weak, Fair::Strong] {
        let options = Options { fair, ..options.clone() };
        for mut group in subject.cycles(&options) {
            group.properties.retain(|property| open.contains(&property.requirement));
            if group.properties.is_empty() {
                continue;
            }
            let budget = (Reach::All, Some(FAIR_STATES));
            let asked: Vec<Requirement> =
                group.properties.iter().map(|property| property.requirement).collect();
            // What was not searched is not said to be violated.
            let Ok(searched) = search(group, &options, budget, watch) else {
                open.retain(|open| !asked.contains(open));
                continue;
            };
            for requirement in &searched.held {
                decided.note_fairness(
                    *requirement,
                    format!(
                        "only unfair runs violate it: it holds under {} fairness (--fair {})",
                        fair.word(),
                        fair.word()
                    ),
                );
            }
            let found = |open: &Requirement| {
                searched.found.iter().any(|found| found.requirement == *open && found.trail.is_ok())
            };
            open.retain(|open| !asked.contains(open) || found(open));
        }
    }
    for requirement in open {
        decided.note_fairness(requirement, "a strongly fair run violates it, too".to_owned());
    }
    Ok(())
}

/// Whether everything is searched: a part of a model says nothing about infinite runs.
fn is_whole(options: &Options) -> bool {
    let complete =
        matches!(options.search, Search::Auto | Search::Exhaustive | Search::Dfs | Search::Bfs);
    let exact = matches!(options.store, Store::Compact | Store::Full) && options.cache.is_none();
    complete && exact && options.depth.is_none() && options.folds.is_empty() && !options.spin_counts
}

/// What was found out about a group of properties.
pub(crate) struct SearchedCycles<'a> {
    pub(crate) searched: Searched<'a>,
    pub(crate) found: Vec<Found>,
    /// A proposition cannot be evaluated.
    pub(crate) failed: Option<Found>,
    pub(crate) held: Vec<Requirement>,
    /// Why others are not decided.
    pub(crate) open: Vec<(Requirement, String)>,
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
    let states_max = match reach {
        Reach::All => states_left,
        _ => Some(states_left.map_or(NEAR_STATES, |left| left.min(NEAR_STATES))),
    };
    let workflow = Workflow::only(Stage::whole(options));
    loop {
        let systems = watch.compile(|| group.form.systems(&workflow, options))?;
        let system: &dyn System = &*systems.systems[0];
        let slower = if systems.fallback.is_some() { SLOWER } else { 1 };
        let request = GraphRequest {
            participants: options.fair != Fair::None,
            is_deep: reach == Reach::Deep,
            states_max: states_max.map(|most| most.div_ceil(slower)),
            memory_bytes_max: options.memory,
        };
        let mut decisions: Vec<Decision> =
            group.properties.iter().map(|_| Decision::Open).collect();
        let mut look = |graph: &mut Graph| {
            decide_all(&group.properties, options, graph, &mut decisions);
            decisions.iter().any(|decision| matches!(decision, Decision::Open))
        };
        let explored = search::explore(system, &request, watch, &mut look);
        let (mut graph, why) = explored.map_err(Unsearchable::from)?;
        watch.compiled((systems.compile_time)());
        if group.form.learn(&systems.systems) {
            continue;
        }
        if why != Some(Why::FirstError) {
            decide_all(&group.properties, options, &graph, &mut decisions);
        }
        let trails: Vec<_> = decisions
            .iter()
            .map(|decision| match decision {
                Decision::Violated(lasso) => Some(steps(&mut graph, system, lasso)),
                Decision::Open | Decision::NoRoom => None,
            })
            .collect();
        let failing = failing::trail(&mut graph, system);
        let no_room = decisions.iter().any(|decision| matches!(decision, Decision::NoRoom));
        let why = why.or(no_room.then_some(Why::Memory));
        let fallback = systems.fallback;
        let state_bytes = system.width() * size_of::<system::Word>();
        drop(systems);
        let mut concluded = conclude(group, options, reach, (graph, why), (trails, failing));
        (concluded.searched.fallback, concluded.searched.state_bytes) = (fallback, state_bytes);
        return Ok(concluded);
    }
}

/// Decides the properties that are open on the graph as it is.
fn decide_all(
    properties: &[Temporal],
    options: &Options,
    graph: &Graph,
    decisions: &mut [Decision],
) {
    let left = options.memory.map(|most| most.saturating_sub(graph.bytes()));
    for (property, decision) in properties.iter().zip(decisions) {
        let (Ok(bad), Decision::Open) = (&property.bad, &*decision) else { continue };
        *decision = match liveness::violation(graph, &bad.automaton, options.fairness(), left) {
            Ok(Some(lasso)) => Decision::Violated(lasso),
            Ok(None) => Decision::Open,
            Err(NoRoom) => Decision::NoRoom,
        };
    }
}

/// A lasso by the steps of the system: those of the prefix, and those of the cycle, none if
/// the system stops there.
struct Trail {
    steps: Vec<Step>,
    prefix: usize,
    repeats: bool,
}

fn steps(graph: &mut Graph, system: &dyn System, lasso: &Lasso) -> Trail {
    let mut of = |edges: &[Edge]| -> Vec<Step> {
        edges.iter().filter_map(|edge| graph.step(system, edge.state, edge.number)).collect()
    };
    let (mut steps, cycle) = (of(&lasso.prefix), of(&lasso.cycle));
    let prefix = steps.len();
    steps.extend(cycle);
    Trail { steps, prefix, repeats: !lasso.cycle.is_empty() }
}

fn conclude<'a>(
    group: Group<'a>,
    options: &Options,
    reach: Reach,
    (graph, why): (Graph, Option<Why>),
    (trails, failing): (Vec<Option<Trail>>, Option<Trail>),
) -> SearchedCycles<'a> {
    let (mut found, mut held, mut open) = (Vec::new(), Vec::new(), Vec::new());
    let failed = failing.and_then(|trail| failing::found(&group, trail));
    for (property, trail) in group.properties.iter().zip(trails) {
        let requirement = property.requirement;
        match (trail, &property.bad, unread(&graph, why, failed.as_ref())) {
            (Some(trail), Ok(bad), _) => found.push(judged(&group, options, property, bad, trail)),
            (None, Ok(_), None) => held.push(requirement),
            (_, Err(why), _) => open.push((requirement, why.clone())),
            (None, _, Some(reason)) => open.extend(reason.map(|reason| (requirement, reason))),
        }
    }
    let Group { pass, form, .. } = group;
    // Nothing is left to look for, or a search of everything comes.
    let is_part = why == Some(Why::FirstError) || reach != Reach::All && why == Some(Why::States);
    let name = if is_part { reach.name() } else { Reach::All.name() };
    let why = why.filter(|_| !is_part);
    let searched = Searched {
        pass,
        outcome: outcome(&graph, why),
        executed: Vec::new(),
        uncounted: false,
        reductions: form.reductions(),
        form,
        state_bytes: 0,
        fallback: None,
        stage: Stage { name: name.to_owned(), ..Stage::whole(options) },
        before: Vec::new(),
        is_part,
    };
    SearchedCycles { searched, found, failed, held, open }
}

/// Whether something of the model was not looked at, and what, if the search does not say so.
fn unread(graph: &Graph, why: Option<Why>, failed: Option<&Found>) -> Option<Option<String>> {
    if graph.is_crowded() {
        Some(Some("fairness is decided for at most 128 processes".to_owned()))
    } else if graph.unreadable().is_some() {
        Some(Some(failing::reason(failed)))
    } else if graph.faults() > 0 {
        Some(Some("some runs end in a run-time error; what comes behind is unknown".to_owned()))
    } else {
        why.map(|_| None)
    }
}

fn outcome(graph: &Graph, why: Option<Why>) -> Outcome {
    let (states, edges) = (graph.states() as u64, graph.edges() as u64);
    let statistics = Statistics {
        states,
        matched: (edges + 1).saturating_sub(states),
        transitions: edges + 1,
        depth: graph.depth(),
        store_bytes: graph.bytes(),
        ..Statistics::default()
    };
    Outcome {
        statistics,
        findings: Vec::new(),
        residuals: Vec::new(),
        canonical: true,
        why_incomplete: why.into_iter().collect(),
        executed: Executed::default(),
        coverage: Coverage::Exact,
        cache: None,
    }
}

/// A violation with its run, once the run has passed.
fn judged(
    group: &Group<'_>,
    options: &Options,
    property: &Temporal,
    bad: &Bad,
    trail: Trail,
) -> Found {
    let is_merged = group.form.unmerged().is_some();
    let passed = expanded(&*group.form, trail).and_then(|trail| {
        let witness = group.form.witness(&trail.steps, trail.prefix)?;
        judge(bad, options.fairness(), &trail, &witness).map(|()| (trail, witness))
    });
    let (trail, witness, start) = match passed {
        Ok((trail, witness)) => {
            let start = trail.repeats.then_some(trail.prefix);
            (Ok(trail.steps), witness, start)
        }
        Err(mismatch) => (Err(mismatch), Witness::default(), None),
    };
    let length = match start {
        Some(_) => Length::Cycle,
        None if is_merged => Length::FirstFound,
        None => Length::Shortest,
    };
    let unfair = |fairness| start.map_or(0, |start| starved(fairness, start, &witness));
    let (starved, starved_often) = (unfair(Fairness::Weak), unfair(Fairness::Strong));
    let cycle = Cycle {
        violation: property.violation,
        start,
        letters: witness.letters,
        bad: bad.formula.clone(),
        starved,
        starved_often,
        why: Vec::new(),
        failing: None,
    };
    Found { trail, cycle: Some(cycle), ..Found::new(property.requirement, Vec::new(), length) }
}

/// A run of a form by the steps of the model as it is written.
fn expanded(form: &dyn Form, trail: Trail) -> Result<Trail, Mismatch> {
    let prefix = form.expand(trail.steps[..trail.prefix].to_vec())?.len();
    Ok(Trail { steps: form.expand(trail.steps)?, prefix, ..trail })
}

/// Whether a run violates the property of a group of one: the steps from `cycle` on repeat;
/// without it, whatever follows.
pub(crate) fn is_violated(group: &Group<'_>, steps: Vec<Step>, cycle: Option<usize>) -> bool {
    let [Temporal { bad: Ok(bad), .. }] = group.properties.as_slice() else { return false };
    let prefix = cycle.unwrap_or(steps.len());
    let trail = Trail { steps, prefix, repeats: cycle.is_some() };
    let witness = group.form.witness(&trail.steps, trail.prefix);
    witness.and_then(|witness| judge(bad, Fairness::None, &trail, &witness)).is_ok()
}

/// Whether a run is what the search said, by definition.
fn judge(bad: &Bad, fairness: Fairness, trail: &Trail, witness: &Witness) -> Result<(), Mismatch> {
    let fault = |text: &str| Err(Mismatch::new(trail.steps.len(), text));
    let violates = |prefix: &[Letter], cycle: &[Letter]| match &bad.formula {
        Some(formula) => formula.evaluate(prefix, cycle)[0],
        None => bad.automaton.accepts(prefix, cycle),
    };
    let letters = &witness.letters;
    if !trail.repeats {
        // It is bad whatever follows: the same state for ever, nothing, everything.
        let (last, rest) =
            letters.split_last().map_or((0, &[][..]), |(last, _)| (*last, &**letters));
        // Where the system stands still nothing else follows.
        let tails = if last & HALTED != 0 { &[last][..] } else { &[last, 0, !HALTED] };
        let all = tails.iter().all(|letter| violates(rest, &[*letter]));
        return if all { Ok(()) } else { fault("the formula is not decided by this prefix") };
    }
    if !witness.returns {
        return fault("the cycle does not return to its first state");
    }
    let halts = trail.steps.len() == trail.prefix;
    let end = letters.len() - usize::from(!halts);
    if !violates(&letters[..trail.prefix], &letters[trail.prefix..end]) {
        return fault("the run does not violate the property");
    }
    match starved(fairness, trail.prefix, witness) {
        0 => Ok(()),
        _ => fault("the run is not fair"),
    }
}

/// The processes that are treated unfairly by a run with a cycle from this step on.
fn starved(fairness: Fairness, start: usize, witness: &Witness) -> Processes {
    let states = witness.enabled.get(start..).unwrap_or_default();
    let steps = witness.moved.get(start..).unwrap_or_default();
    let moved = steps.iter().fold(0, |all, set| all | set);
    let wanting = match fairness {
        Fairness::None => 0,
        Fairness::Weak if states.is_empty() => 0,
        Fairness::Weak => states.iter().fold(Processes::MAX, |all, set| all & set),
        Fairness::Strong => states.iter().fold(0, |all, set| all | set),
    };
    wanting & !moved
}
