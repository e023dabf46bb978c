//! `cargo xtask conformance`: the figures of SPIN and of argos side by side, for
//! every model of the installed SPIN package and of `corpus/promela`.
//!
//! In: the `spin` and `gcc` of this machine, the models, and `argos`, built first.
//! Out: `docs/conformance.md` for a full run; with `--only` or `--skip-slow` the
//! tables go to standard output and the document stays. Fails if any model that
//! both searched completely has other figures or another verdict.

mod defaults;
mod document;
mod live;
mod random;
mod reduced;

use crate::binary;
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use testkit::finding::{Finding, argos, spin};
use testkit::limits::{Clock, Limits};

/// Every tool gets this much address space.
const MEMORY_KB: u64 = 4 * 1024 * 1024;
const SECONDS: u64 = 60;
const SECONDS_QUICK: u64 = 5;
const DOCUMENT: &str = "docs/conformance.md";
/// The first seed of the document.
const FIRST: u64 = 1;

/// One model, seen by both.
struct Row {
    model: String,
    spin: Finding,
    ours: Finding,
}

/// What the comparison of a row says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Agreement {
    Same,
    Differs,
    /// One of the two has nothing complete to compare.
    Open,
}

impl Row {
    fn agreement(&self) -> Agreement {
        if !self.spin.complete || !self.ours.complete {
            return Agreement::Open;
        }
        let same = self.spin.counts == self.ours.counts && self.spin.faulty() == self.ours.faulty();
        if same { Agreement::Same } else { Agreement::Differs }
    }
}

/// A folder of models.
struct Set {
    title: &'static str,
    folder: PathBuf,
    models: Vec<PathBuf>,
    /// Models that are parts of others, and of which.
    parts: Vec<(String, String)>,
}

/// Compare with SPIN, write docs/conformance.md.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Only models with this in their name; prints, writes nothing.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Give each tool 5 s; prints, writes nothing.
    #[arg(long)]
    skip_slow: bool,
    /// Processor time of each tool for each model; 60 if not given.
    #[arg(long, value_name = "SECONDS")]
    limit: Option<u64>,
    /// This binary, instead of building one.
    #[arg(long, value_name = "FILE")]
    argos: Option<PathBuf>,
    /// Instead: ample sets beside SPIN's reduction, write docs/reductions.md.
    #[arg(long)]
    reduced: bool,
    /// Instead: formulas beside `pan -a`, write their part of docs/conformance.md.
    #[arg(long)]
    live: bool,
    /// Instead: so many random models, write docs/conformance-random.md.
    #[arg(long, value_name = "COUNT")]
    random: Option<usize>,
    /// The first of them; if it is not 1, prints, writes nothing.
    #[arg(long, value_name = "NUMBER", default_value_t = FIRST)]
    seed: u64,
}

impl Arguments {
    /// Whether it is not a full run: what it says is printed.
    fn is_part(&self) -> bool {
        self.only.is_some() || self.skip_slow
    }

    /// The binary to compare with SPIN.
    fn argos(&self) -> Result<PathBuf, String> {
        self.argos.clone().map_or_else(|| binary::built(binary::DIST), Ok)
    }

    /// How much each tool may take for each model.
    fn limits(&self) -> Limits {
        let usual = if self.skip_slow { SECONDS_QUICK } else { SECONDS };
        let seconds = self.limit.unwrap_or(usual);
        Limits { seconds, clock: Clock::Processor, memory_kb: MEMORY_KB }
    }
}

/// Compares; whether all is as it should be.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    match arguments.random {
        Some(count) => random(arguments, count),
        None if arguments.reduced => reduced(arguments),
        None if arguments.live => live(arguments),
        None => compare(arguments),
    }
}

/// Whether every difference between random models is explained.
fn random(arguments: &Arguments, count: usize) -> Result<bool, String> {
    let folder = testkit::root().join("target/random");
    let (text, explained) = random::survey(&arguments.argos()?, arguments.seed, count, &folder)?;
    if arguments.seed == FIRST {
        write("docs/conformance-random.md", text)?;
    } else {
        println!("{text}");
    }
    Ok(explained)
}

/// Writes the document of a full run; what a part of it says is printed.
fn publish(arguments: &Arguments, name: &str, text: String) -> Result<(), String> {
    if arguments.is_part() {
        println!("{text}");
        return Ok(());
    }
    write(name, text)
}

fn read(name: &str) -> String {
    fs::read_to_string(testkit::root().join(name)).unwrap_or_default()
}

fn write(name: &str, text: String) -> Result<(), String> {
    let path = testkit::root().join(name);
    fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Whether ample sets keep up with SPIN's reduction.
fn reduced(arguments: &Arguments) -> Result<bool, String> {
    let argos = arguments.argos()?;
    let (text, good) = reduced::compare(&installed()?, &argos, arguments)?;
    let section = defaults::section(&[installed()?, mutex()?], &argos, arguments);
    let text = format!("{text}\n{section}");
    publish(arguments, "docs/reductions.md", text)?;
    Ok(good)
}

/// Whether the formulas of the package have the same verdicts.
fn live(arguments: &Arguments) -> Result<bool, String> {
    let (section, good) = live::compare(&installed()?, &arguments.argos()?, arguments)?;
    match arguments.is_part() {
        true => println!("{section}"),
        false => write(DOCUMENT, live::inserted(&read(DOCUMENT), &section))?,
    }
    Ok(good)
}

/// Whether everything that can be compared agrees.
fn compare(arguments: &Arguments) -> Result<bool, String> {
    let argos = arguments.argos()?;
    let mut sets = Vec::new();
    for set in [installed()?, corpus()?] {
        let rows = rows(&set, &argos, arguments);
        sets.push((set, rows));
    }
    let text = document::document(&sets, &testkit::spin::version()?, arguments.limits());
    let text = match live::kept(&read(DOCUMENT)) {
        Some(section) => live::inserted(&text, section),
        None => text,
    };
    publish(arguments, DOCUMENT, text)?;
    let mut rows = sets.iter().flat_map(|(_, rows)| rows);
    Ok(rows.all(|row| row.agreement() != Agreement::Differs))
}

/// The option that says how much time there is, if that is not what it usually is.
fn limit(limits: Limits) -> String {
    let seconds = limits.seconds;
    if seconds == SECONDS { String::new() } else { format!(" --limit {seconds}") }
}

/// The models that come with SPIN.
fn installed() -> Result<Set, String> {
    Set::new("Models of the SPIN package", testkit::spin::package()?)
}

/// Algorithms of mutual exclusion: processes that share variables and nothing else.
fn mutex() -> Result<Set, String> {
    Set::new("Models of xtask/models/mutex", testkit::files("xtask/models/mutex", &["pml"]))
}

/// Our own models, but for those that differ on purpose and have a test of their own.
fn corpus() -> Result<Set, String> {
    let mut models = testkit::files("corpus/promela", &["pml"]);
    models.retain(|model| !model.components().any(|part| part.as_os_str() == "differences"));
    Set::new("Models of corpus/promela", models)
}

impl Set {
    fn new(title: &'static str, mut models: Vec<PathBuf>) -> Result<Self, String> {
        models.sort();
        let mut folder = models.first().ok_or_else(|| format!("{title}: there are none"))?.clone();
        while !models.iter().all(|model| model.starts_with(&folder)) {
            folder.pop();
        }
        let mut set = Self { title, folder, models, parts: Vec::new() };
        let parts: Vec<_> = set.models.iter().filter_map(|model| set.includer(model)).collect();
        set.models.retain(|model| !parts.iter().any(|(part, _)| part == model));
        set.parts = parts.iter().map(|(part, of)| (set.name(part), set.name(of))).collect();
        Ok(set)
    }

    /// The model, and the one that includes it if there is one.
    fn includer(&self, model: &Path) -> Option<(PathBuf, PathBuf)> {
        let name = model.file_name()?.to_string_lossy().into_owned();
        let quoted = format!("\"{name}\"");
        let includes =
            |line: &str| line.trim_start().starts_with("#include") && line.contains(&quoted);
        let found = self
            .models
            .iter()
            .find(|other| fs::read_to_string(other).is_ok_and(|text| text.lines().any(includes)))?;
        Some((model.to_owned(), found.clone()))
    }

    fn name(&self, model: &Path) -> String {
        model.strip_prefix(&self.folder).unwrap_or(model).display().to_string()
    }
}

/// Both tools on every model that is wanted.
fn rows(set: &Set, binary: &Path, arguments: &Arguments) -> Vec<Row> {
    let mut rows = each(set, arguments, |model: &Path, name: String| {
        let row = Row {
            spin: spin::verify_thoroughly(model, arguments.limits()),
            ours: argos::check(binary, model, &argos::OPTIONS, arguments.limits()),
            model: name,
        };
        eprintln!("{}", document::row(&row));
        row
    });
    rows.sort_by(|a, b| a.model.cmp(&b.model));
    rows
}

/// What `row` makes of every model that is wanted, a few at a time.
fn each<R: Send>(
    set: &Set,
    arguments: &Arguments,
    row: impl Fn(&Path, String) -> R + Sync,
) -> Vec<R> {
    let wanted =
        |name: &str| arguments.only.as_ref().is_none_or(|only| name.contains(only.as_str()));
    let models: Vec<&PathBuf> = set.models.iter().filter(|m| wanted(&set.name(m))).collect();
    let next = AtomicUsize::new(0);
    let rows = Mutex::new(Vec::new());
    let work = || {
        while let Some(model) = models.get(next.fetch_add(1, Ordering::Relaxed)) {
            let done = row(model, set.name(model));
            rows.lock().expect("no worker panics").push(done);
        }
    };
    thread::scope(|scope| {
        let workers = thread::available_parallelism().map_or(1, usize::from);
        (0..workers).for_each(|_| drop(scope.spawn(work)));
    });
    rows.into_inner().expect("no worker panics")
}
