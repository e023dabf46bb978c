//! Random models with random predicates: what every search says of invariants and of states that
//! are asked for, against all states of the reference interpreter.

mod network;
mod program;
mod service;

use base::Purpose;
use pipeline::{Engine, Memory, Options, Search, Source, Store};
use preprocess::Further;
use report::{Property, PropertyVerdict, Report};
use std::num::NonZeroU32;
use testkit::{Random, for_seeds};

/// Random models per test.
const SAMPLES: u64 = 400;
/// States beyond which a model is not judged.
const STATES_MAX: usize = 300;
/// Predicates of each purpose.
const PREDICATES: usize = 3;

const ENGINES: [Engine; 3] = [Engine::Jit, Engine::Closures, Engine::Reference];
const WHOLE: [Search; 6] = [
    Search::Auto,
    Search::Exhaustive,
    Search::Dfs,
    Search::Bfs,
    Search::Directed,
    Search::Directed,
];
const PARTS: [Search; 5] =
    [Search::Partial, Search::Scatter, Search::OnePerProcess, Search::OnePerState, Search::Random];
const LOSSY: [Store; 2] = [Store::Bitstate, Store::Hash64];

/// What the states of a model say of a predicate: the fewest steps to one where it is true, and
/// to one where it is false.
#[derive(Clone, Copy, Default)]
pub(crate) struct Truth {
    pub(crate) is_true: Option<usize>,
    pub(crate) is_false: Option<usize>,
}

/// All states of a model.
#[derive(Default)]
pub(crate) struct Explored {
    pub(crate) truths: Vec<Truth>,
    /// Some step ends in an error.
    pub(crate) has_faults: bool,
    /// Some predicate cannot be evaluated in some state.
    pub(crate) is_unreadable: bool,
}

impl Explored {
    /// Notes a state at this distance; `holds` is nothing where a predicate has no value.
    pub(crate) fn note(&mut self, distance: usize, holds: impl Iterator<Item = Option<bool>>) {
        for (at, holds) in holds.enumerate() {
            if self.truths.len() == at {
                self.truths.push(Truth::default());
            }
            let truth = &mut self.truths[at];
            match holds {
                Some(true) => truth.is_true = truth.is_true.or(Some(distance)),
                Some(false) => truth.is_false = truth.is_false.or(Some(distance)),
                None => self.is_unreadable = true,
            }
        }
    }
}

/// A predicate of some of these propositions.
pub(crate) fn predicate(random: &mut Random, propositions: &[String]) -> String {
    let mut one = || {
        let not = if random.chance(25) { "!" } else { "" };
        let at = random.below(propositions.len() as u64) as usize;
        format!("{not}({})", propositions[at])
    };
    let (first, second) = (one(), one());
    match random.below(5) {
        0 => format!("{first} && {second}"),
        1 => format!("{first} || {second}"),
        2 => format!("{first} -> {second}"),
        _ => first,
    }
}

/// The texts behind the model, as the command line gives them.
pub(crate) fn further(options: &Options) -> Vec<Further> {
    let text = |text: &String, purpose: Purpose| Further::Text {
        name: purpose.option().to_owned(),
        text: text.clone(),
        purpose: Some(purpose),
    };
    let invariants = options.invariants.iter().map(|it| text(it, Purpose::Invariant));
    let covers = options.covers.iter().map(|it| text(it, Purpose::Cover));
    invariants.chain(covers).collect()
}

/// The same where a best-first search has nothing to go by.
pub(crate) fn undirected(options: Options) -> Options {
    match options.search {
        Search::Directed => Options { search: Search::Exhaustive, ..options },
        _ => options,
    }
}

/// Predicates of these propositions, searched for in some way that is complete, or in one that
/// is not.
pub(crate) fn asked(random: &mut Random, propositions: &[String], is_whole: bool) -> Options {
    let mut some = || (0..PREDICATES).map(|_| predicate(random, propositions)).collect();
    let (invariants, covers) = (some(), some());
    let mut on = || random.chance(30);
    let (lossy, full, bounded, no_merge, no_dead_reset) = (on(), on(), on(), on(), on());
    let options = Options {
        invariants,
        covers,
        engine: random.one_of(&ENGINES),
        no_merge,
        no_dead_reset,
        threads: NonZeroU32::new(1 + random.below(2) as u32),
        ..Options::default()
    };
    let store = if full { Store::Full } else { Store::Compact };
    match (is_whole, lossy) {
        (true, _) => {
            let search = random.one_of(&WHOLE);
            // Only packed forms know the way.
            let engine = match (search, options.engine) {
                (Search::Directed, Engine::Reference) => Engine::Closures,
                (_, engine) => engine,
            };
            Options { search, store, engine, ..options }
        }
        (false, true) => {
            let memory = Some(1 << 24);
            Options { store: random.one_of(&LOSSY), search: Search::Dfs, memory, ..options }
        }
        (false, false) if bounded => {
            Options { search: Search::Bfs, depth: Some(random.below(6)), ..options }
        }
        (false, false) => Options { search: random.one_of(&PARTS), ..options },
    }
}

/// What argos says of a model in a file of this name.
pub(crate) fn checked(file: &str, text: &str, options: &Options) -> Report {
    let source = Source::new(file, text.as_bytes());
    let checked = pipeline::check(source, options, "argos", &mut Memory::default());
    let checked = checked.unwrap_or_else(|usage| panic!("{usage:?}\n{options:?}\n{text}"));
    assert_eq!(checked.internal_error, None, "{options:?}\n{text}");
    checked.report
}

/// How many predicates were found, and how many were not anywhere.
#[derive(Default)]
struct Tally {
    judged: u64,
    found: usize,
    absent: usize,
}

/// Compares a report with all states; what is found must be there, and what is said of all states
/// must be so. A bounded search may have come to all of them.
pub(crate) fn compare(
    report: &Report,
    explored: &Explored,
    (is_whole, may_hold): (bool, bool),
    told: &str,
) {
    let predicates = report.properties.iter().filter(|property| {
        property.name.starts_with("invariant ") || property.name.starts_with("cover ")
    });
    for (property, truth) in predicates.zip(&explored.truths) {
        let is_invariant = property.name.starts_with("invariant ");
        let place = if is_invariant { truth.is_false } else { truth.is_true };
        let is_open = explored.has_faults || explored.is_unreadable;
        let fits = match (place, property.verdict) {
            (Some(_), PropertyVerdict::Violated) => is_invariant,
            (Some(_), PropertyVerdict::Reached) => !is_invariant,
            (None, PropertyVerdict::Holds) => is_invariant && may_hold && !is_open,
            (None, PropertyVerdict::Unreached) => !is_invariant && may_hold && !is_open,
            (Some(_), PropertyVerdict::Unknown) => !is_whole || explored.is_unreadable,
            (None, PropertyVerdict::Unknown) => !is_whole || is_open,
            _ => false,
        };
        assert!(fits, "{}: {:?}, {place:?}\n{told}", property.name, property.verdict);
        shortest(report, property, place, told);
    }
}

/// A run that is called the shortest is as long as the way there.
fn shortest(report: &Report, property: &Property, place: Option<usize>, told: &str) {
    let error = property.error.and_then(|index| report.errors.get(index));
    let witness = property.witness.and_then(|index| report.witnesses.get(index));
    let Some(entry) = error.or(witness).filter(|entry| entry.length == "shortest") else { return };
    assert_eq!(Some(entry.steps), place, "{}\n{told}", property.name);
}

/// Judges models until there are enough of them, those that are small enough.
fn judge_all(judge: impl Fn(&mut Random) -> Option<Explored>) {
    let mut tally = Tally::default();
    for_seeds(0..SAMPLES, |_, random| {
        let Some(explored) = judge(random) else { return };
        tally.judged += 1;
        let (invariants, covers) = explored.truths.split_at(PREDICATES);
        let found = invariants.iter().filter(|it| it.is_false.is_some()).count()
            + covers.iter().filter(|it| it.is_true.is_some()).count();
        tally.found += found;
        tally.absent += explored.truths.len() - found;
    });
    assert!(tally.judged * 10 >= SAMPLES * 3, "only {} were small enough", tally.judged);
    let least = tally.judged as usize / 4;
    assert!(tally.found > least && tally.absent > least, "{} {}", tally.found, tally.absent);
}
