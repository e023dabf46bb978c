//! What is required of infinite runs: formulas, never claims, acceptance and progress labels.
//!
//! The state space of the model is explored once ([`search::explore`]); every property is decided
//! on it by the emptiness of its product with an automaton ([`liveness`]). Parts of a large space
//! are looked at first: what is found in a part of it is real.
//!
//! A counterexample is executed again by the reference interpreter, which says what holds in
//! each state; on that word the formula is evaluated by its definition, and fairness by its
//! own. Nothing is reported that does not pass.

mod failing;
mod judge;
mod rounds;
mod turning;
mod vacuity;

pub(crate) use failing::FailingAtom;
pub(crate) use judge::is_violated;
pub(crate) use rounds::{BEHIND_ERRORS, search};
pub(crate) use turning::{Turning, find as find_turning};
pub(crate) use vacuity::Vacuity;

use crate::decide::{Decided, Found, Searched};
use crate::host::Timed;
use crate::subject::{Form, Pass, Subject, Unsearchable};
use crate::{Fair, Options, Search, Store, Usage};
use ltl::{Automaton, Formula};
use search::Watch;
use system::{Letter, Processes};
use trace::Requirement;

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
    /// Where the violation became unavoidable, if that was looked for.
    pub(crate) turning: Option<Turning>,
    /// Instead: the run leads to where a proposition cannot be evaluated.
    pub(crate) failing: Option<FailingAtom>,
}

impl Cycle {
    /// None, but the end of a run in which a proposition cannot be evaluated.
    pub(crate) fn failing(atom: FailingAtom) -> Self {
        Self { failing: Some(atom), ..Self::prefix("", Vec::new(), None) }
    }

    /// None, but the beginning of a run that shows what is to be shown, whatever follows.
    pub(crate) fn prefix(
        violation: &'static str,
        letters: Vec<Letter>,
        bad: Option<Formula>,
    ) -> Self {
        let (start, starved, starved_often) = (None, 0, 0);
        let (why, turning, failing) = (Vec::new(), None, None);
        Self { violation, start, letters, bad, starved, starved_often, why, turning, failing }
    }
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
        watch.stage("infinite runs");
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
            watch.stage("infinite runs under fairness");
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
    /// Of formulas that hold and have premises, whether these occur.
    pub(crate) vacuity: Vec<(Requirement, Vacuity)>,
}
