//! Random models with formulas, claims and labels: the verdicts of the whole line, under
//! every kind of fairness, against all states of the reference interpreter and the definition.

mod ample;
mod network;
mod oracle;
mod protocols;
mod spots;
mod turning;
mod vacuous;

use oracle::{Oracle, Watched};
use pipeline::{Engine, Memory, Options, Reduce, Search, Source};
use preprocess::Input;
use program::Program;
use report::PropertyVerdict;
use std::collections::BTreeMap;
use testkit::cycles::{FAIRNESS, Fair};
use testkit::promela::{dependent, endless, reducible, whole};
use testkit::{NoFiles, Random, for_seeds};

/// Random models per test.
const SAMPLES: u64 = 1_000;
/// States beyond which a model is not judged.
const STATES_MAX: usize = 300;

const ENGINES: [Engine; 3] = [Engine::Jit, Engine::Closures, Engine::Reference];
const SEARCHES: [Search; 4] = [Search::Auto, Search::Exhaustive, Search::Dfs, Search::Bfs];

/// What must come out, for each kind of fairness.
struct Expected {
    name: String,
    violated: [bool; 3],
    /// A proposition cannot be evaluated in some state, or some step ends in an error.
    is_open: bool,
    /// The same if the state before an error is repeated for ever: runs that are bad already may
    /// end in it.
    bad_prefix: [bool; 3],
}

impl Expected {
    /// Whether a verdict is right, under the fairness of this number.
    fn fits(&self, found: PropertyVerdict, at: usize) -> bool {
        match found {
            PropertyVerdict::Violated if self.is_open => self.bad_prefix[at],
            PropertyVerdict::Violated => self.violated[at],
            PropertyVerdict::Holds => !self.violated[at] && !self.is_open,
            // Behind an error a claim is not decided.
            PropertyVerdict::Unknown if self.name.starts_with("never") => true,
            PropertyVerdict::Unknown => !self.violated[at] && self.is_open,
            PropertyVerdict::Reached | PropertyVerdict::Unreached => false,
        }
    }
}

fn read(text: &str) -> Option<Program> {
    let input = Input { name: "random.pml", bytes: text.as_bytes() };
    let program = promela::read(input, &preprocess::Options::default(), &NoFiles).program;
    // What is required of infinite runs is required behind a failed assertion, too.
    program.map(|program| program.without_assertions())
}

/// What is required, and what the definition says.
fn expected(program: &Program) -> Option<Vec<Expected>> {
    let oracle = Oracle::of(program, STATES_MAX)?;
    let is_open = oracle.has_faults || oracle.is_unreadable;
    let mut all = Vec::new();
    for (name, bad) in &oracle.properties {
        let violated = FAIRNESS.map(|fair| oracle.is_violated(bad, fair, false));
        let bad_prefix = FAIRNESS.map(|fair| oracle.is_violated(bad, fair, true));
        all.push(Expected { name: name.clone(), violated, is_open, bad_prefix });
    }
    for claim in &program.claims {
        let Some(watched) = Watched::of(program, claim, 4 * STATES_MAX) else { continue };
        let violated = FAIRNESS.map(|fair| watched.is_violated(fair));
        let (name, is_open) = (format!("never {}", claim.name), watched.has_faults);
        // Its end may be bad already if it is in an error.
        let bad_prefix = violated.map(|violated| violated || is_open);
        all.push(Expected { name, violated, is_open, bad_prefix });
    }
    Some(all)
}

fn options(fair: Fair, random: &mut Random) -> Options {
    let fair = match fair {
        Fair::None => pipeline::Fair::None,
        Fair::Weak => pipeline::Fair::Weak,
        Fair::Strong => pipeline::Fair::Strong,
    };
    let mut on = || random.chance(25);
    let (plain, no_merge, no_dead_reset, no_hide) = (on(), on(), on(), on());
    let (engine, search) = (random.one_of(&ENGINES), random.one_of(&SEARCHES));
    let all_errors = random.chance(20);
    // Neither claims nor fairness go with ample sets.
    let reduces = fair == pipeline::Fair::None && !plain && random.chance(50);
    Options {
        reduce: if reduces { Reduce::Ample } else { Reduce::Auto },
        fair,
        engine,
        search,
        plain,
        no_merge: no_merge && !plain,
        no_dead_reset: no_dead_reset && !plain,
        no_hide: no_hide && !plain,
        all_errors,
        ..Options::default()
    }
}

/// The options that were drawn, in short.
fn told(options: &Options) -> String {
    let Options { fair, engine, search, plain, no_merge, no_dead_reset, no_hide, .. } = options;
    let reduce = options.reduce;
    let reductions = format!("{reduce:?} {plain} {no_merge} {no_dead_reset} {no_hide}");
    format!("{fair:?} {engine:?} {search:?} {reductions} {}", options.all_errors)
}

/// What argos says of a model in a file of this name.
fn verdicts(file: &str, text: &str, options: &Options) -> BTreeMap<String, PropertyVerdict> {
    let source = Source::new(file, text.as_bytes());
    let checked = pipeline::check(source, options, "argos", &mut Memory::default());
    let checked = checked.unwrap_or_else(|usage| panic!("{usage:?}"));
    assert_eq!(checked.internal_error, None, "{}\n{text}", told(options));
    let properties = checked.report.properties.into_iter();
    properties.map(|property| (property.name, property.verdict)).collect()
}

/// Judges a model; whether it was small enough.
fn judge(text: &str, random: &mut Random) -> Option<Vec<Expected>> {
    let all = expected(&read(text)?)?;
    let claims = text.contains("never");
    compare("random.pml", text, &all, |fair| {
        let options = options(fair, random);
        Options { reduce: if claims { Reduce::Auto } else { options.reduce }, ..options }
    });
    Some(all)
}

/// Compares the verdicts on a model with what is expected, under every kind of fairness.
fn compare(file: &str, text: &str, all: &[Expected], mut options: impl FnMut(Fair) -> Options) {
    for (at, fair) in FAIRNESS.into_iter().enumerate() {
        let options = options(fair);
        // Who is enabled where a step fails is not judged.
        if at > 0 && all.iter().any(|it| it.is_open) {
            continue;
        }
        let verdicts = verdicts(file, text, &options);
        for expected in all {
            let found = verdicts.get(&expected.name).copied();
            let fits = found.is_some_and(|found| expected.fits(found, at));
            let (name, told) = (&expected.name, told(&options));
            assert!(fits, "{name}: {found:?}, not {} {told}\n{text}", expected.violated[at]);
        }
    }
}

/// Judges the models of a generator.
fn judge_samples(first: u64, write: impl Fn(&mut Random) -> String) {
    judge_all(first, |random| {
        let text = write(random);
        judge(&text, random)
    });
}

/// Judges models, those that are small enough.
fn judge_all(first: u64, judge: impl Fn(&mut Random) -> Option<Vec<Expected>>) {
    let (mut judged, mut properties, mut violated) = (0, 0, [0; 3]);
    for_seeds(first..first + SAMPLES, |_, random| {
        let Some(all) = judge(random) else { return };
        judged += 1;
        properties += all.len();
        for it in all {
            (0..3).for_each(|at| violated[at] += usize::from(it.violated[at]));
        }
    });
    assert!(judged * 10 >= SAMPLES * 3, "only {judged} were small enough");
    let mixed = violated[2] > 100 && violated[0] > violated[2];
    assert!(mixed, "{judged} models, {properties} properties, {violated:?} violated");
}

/// Endless processes, formulas over them, sometimes a claim.
fn endless_model(random: &mut Random) -> String {
    let claim = if random.chance(30) { endless::never(random) } else { String::new() };
    let propositions = [&endless::PORTABLE[..], &endless::OTHERS[..]].concat();
    let formulas = endless::formulas(random, 3, true, &propositions);
    endless::model(random, false) + &formulas + &claim
}

#[test]
fn endless_programs_first_half() {
    judge_samples(0, endless_model);
}

#[test]
fn endless_programs_second_half() {
    judge_samples(SAMPLES, endless_model);
}

/// Statements that follow the one before them in the same step, and formulas that cannot tell.
#[test]
fn programs_that_merge_statements() {
    let propositions = ["g == 0", "g == 1", "h == 1", "n == 1", "len(q) == 1"];
    judge_samples(0, |random| {
        endless::private_model(random) + &endless::formulas(random, 2, false, &propositions)
    });
}

#[test]
fn programs_that_interact() {
    let propositions = ["g == 1", "h == 0", "b[0] == 1", "A:x == 1", "full(q)", "q?[1]", "timeout"];
    judge_samples(0, |random| {
        dependent::model(random) + &endless::formulas(random, 3, true, &propositions)
    });
}

#[test]
fn programs_that_are_reduced() {
    let propositions =
        ["g == 1", "h == 2", "b[1] == 1", "A:x == 1", "B:y != 2", "A@L", "v == 1", "_last == 1"];
    judge_samples(0, |random| {
        reducible::model(random) + &endless::formulas(random, 3, true, &propositions)
    });
}

/// The whole language, with what formulas can ask for: global variables, labels.
fn whole_model(random: &mut Random) -> String {
    let text = whole::print(&whole::model(random.below(1_000_000)));
    let Some(program) = read(&text) else { return text };
    let mut propositions = vec!["_last == 1".to_owned(), "timeout".to_owned()];
    let scalars = program.globals.iter().filter(|it| !it.is_array && it.channel.is_none());
    for variable in scalars {
        let name = &variable.name;
        propositions.extend([
            format!("{name} == 0"),
            format!("{name} > 1"),
            format!("{name} == 1"),
        ]);
    }
    for proctype in program.proctypes.iter().filter(|it| it.name.starts_with('P')) {
        let labels = proctype.locations.iter().flat_map(|it| &it.labels);
        propositions.extend(labels.map(|label| format!("{}@{label}", proctype.name)));
    }
    let propositions: Vec<&str> = propositions.iter().map(String::as_str).collect();
    text + &endless::formulas(random, 3, true, &propositions)
}

#[test]
fn programs_of_the_whole_language() {
    judge_samples(0, whole_model);
}
