//! Symmetry through the whole pipeline: random programs and networks of processes that are alike, or
//! hardly, searched with one state of all that are permutations of each other, against a search without any
//! reduction, of each eighth model by the reference interpreter: the verdict on every requirement, and every statement
//! that is never executed. Runs to errors are those that the reduced search found, and each is executed again.

use pipeline::{Engine, Files, Host, Memory, Options, Reduce, Search, Source, Usage};
use report::{PropertyVerdict, Report};
use search::{Progress, Stop};
use std::collections::BTreeSet;
use testkit::{Random, for_seeds};

/// Random models of each language.
const SAMPLES: u64 = 5_000;
/// A model of more states is not judged.
const STATES_MAX: u64 = 1_000;

/// Ends a search that has more states.
struct Few(Memory, u64);

impl Files for Few {
    fn read(&self, path: &str) -> std::io::Result<Vec<u8>> {
        self.0.read(path)
    }
}

impl Host for Few {
    fn seconds(&self) -> f64 {
        self.0.seconds()
    }
    fn peak_rss_bytes(&self) -> u64 {
        self.0.peak_rss_bytes()
    }
    fn rss_bytes(&self) -> u64 {
        self.0.rss_bytes()
    }
    fn memory_bytes_max(&self) -> Option<u64> {
        self.0.memory_bytes_max()
    }
    fn tick(&mut self, progress: &Progress) -> Option<Stop> {
        (progress.states > self.1).then_some(Stop::Interrupted)
    }
}

fn check(name: &str, text: &str, options: &Options, most: u64) -> Result<Report, Usage> {
    let source = Source::new(name, text.as_bytes());
    let checked = pipeline::check(source, options, "argos", &mut Few(Memory::default(), most))?;
    assert_eq!(checked.internal_error, None, "{options:?}\n{text}");
    Ok(checked.report)
}

/// Everything that is decided.
fn verdicts(report: &Report) -> Vec<(&str, PropertyVerdict)> {
    report.properties.iter().map(|it| (it.name.as_str(), it.verdict)).collect()
}

/// What is never executed, if everything was looked at.
fn unreached(report: &Report) -> Option<BTreeSet<(String, u32, u32, String)>> {
    let places = report
        .unreached
        .iter()
        .map(|it| (it.process.clone(), it.line, it.column, it.statement.clone()));
    report.complete.then(|| places.collect())
}

/// How many models were judged, in how many states were left out, how many have an error, and how many
/// were refused.
#[derive(Default, Debug)]
struct Tally {
    judged: u64,
    smaller: u64,
    violated: u64,
    refused: u64,
}

impl Tally {
    /// Judges a model if it is small.
    fn judge(&mut self, name: &str, text: &str, random: &mut Random, is_twisted: bool) {
        let engine = if random.one_in(8) { Engine::Reference } else { Engine::Closures };
        let all = Options {
            engine,
            reduce: Reduce::None,
            search: Search::Exhaustive,
            shorten_budget: 0,
            ..Options::default()
        };
        let expected = check(name, text, &all, STATES_MAX).expect("nothing is reduced");
        let is_open = |it: &PropertyVerdict| *it == PropertyVerdict::Unknown;
        if expected.properties.iter().any(|it| is_open(&it.verdict)) {
            return;
        }
        let options = Options {
            engine: Engine::Closures,
            reduce: random.one_of(&[Reduce::Symmetry, Reduce::AmpleSymmetry]),
            search: random.one_of(&[Search::Exhaustive, Search::Bfs, Search::Dfs, Search::Auto]),
            shorten_budget: if random.one_in(4) { 1_000 } else { 0 },
            ..Options::default()
        };
        let report = match check(name, text, &options, u64::MAX) {
            Ok(report) => report,
            Err(why) => {
                // A state has not room for everybody everywhere, or somebody knows a name that
                // the copies themselves do not.
                let reasons = ["no room", "treats them differently"];
                let known = reasons.iter().any(|reason| why.to_string().contains(reason));
                assert!(is_twisted || known, "{why}\n{text}");
                self.refused += 1;
                return;
            }
        };
        let told = format!("{options:?}\n{text}");
        assert_eq!(verdicts(&report), verdicts(&expected), "{told}");
        assert_eq!(report.verdict, expected.verdict, "{told}");
        if let (Some(ours), Some(all)) = (unreached(&report), unreached(&expected)) {
            assert_eq!(ours, all, "{told}");
        }
        if expected.errors.is_empty() {
            assert!(report.stats.states <= expected.stats.states, "{told}");
            self.smaller += u64::from(report.stats.states < expected.stats.states);
        }
        self.violated += u64::from(!report.errors.is_empty());
        self.judged += 1;
    }

    /// Whether there was enough of everything.
    fn judges_enough(&self) {
        let is_one = std::env::var("ARGOS_SEED").is_ok();
        let shares = [(self.judged, 6), (self.smaller, 1), (self.violated, 1)];
        let enough = shares.iter().all(|(count, tenths)| count * 10 >= SAMPLES * tenths);
        assert!(is_one || (enough && self.refused > 0), "{self:?}");
    }
}

#[test]
fn programs_of_processes_that_are_alike_keep_their_verdicts() {
    let mut tally = Tally::default();
    for_seeds(0..SAMPLES, |_, random| {
        let model = testkit::promela::symmetric::model(random);
        tally.judge("random.pml", &model.text, random, model.is_twisted || model.ends);
    });
    tally.judges_enough();
}

#[test]
fn networks_with_copies_of_a_process_keep_their_verdicts() {
    let mut tally = Tally::default();
    for_seeds(0..SAMPLES, |_, random| {
        let copies = testkit::protocol::copies::copies(random);
        tally.judge("random.argos", &copies.text, random, copies.is_twisted);
    });
    tally.judges_enough();
}
