//! `cargo xtask conformance`: the figures of SPIN and of argos side by side, for
//! every model of the installed SPIN package and of `corpus/promela`.
//!
//! In: the `spin` and `gcc` of this machine, the models, and `argos`, built first.
//! Out: `docs/conformance.md` for a full run; with `--only` or `--skip-slow` the
//! tables go to standard output and the document stays. Fails if any model that
//! both searched completely has other figures or another verdict.

mod document;
pub(crate) mod ours;
mod reduced;
pub(crate) mod spin;

use crate::limits::{Clock, Limits};
use crate::random::survey;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{io, thread};

/// How the command is called.
pub const USAGE: &str = "\
cargo xtask conformance [OPTIONS]    compare with SPIN, write docs/conformance.md
    --only NAME        only models with this in their name; prints, writes nothing
    --skip-slow        give each tool 5 s; prints, writes nothing
    --limit SECONDS    processor time of each tool for each model; 60 if not given
    --argos FILE       this binary, instead of building one
    --reduced          instead: ample sets beside SPIN's reduction, write docs/reductions.md
    --random COUNT     instead: so many random models, write docs/conformance-random.md
    --seed NUMBER      the first of them; 1 if not given, else prints, writes nothing";

/// Every tool gets this much address space.
const MEMORY_KB: u64 = 4 * 1024 * 1024;
const SECONDS: u64 = 60;
const SECONDS_QUICK: u64 = 5;
/// The first seed of the document.
const FIRST: u64 = 1;

/// What one tool says about one model.
#[derive(Default, Debug)]
pub(crate) struct Finding {
    /// Stored, matched, transitions.
    pub(crate) counts: Option<[u64; 3]>,
    /// How many errors there are, where that is known.
    pub(crate) errors: Option<u64>,
    /// Of which kinds, in the words of argos.
    pub(crate) kinds: BTreeSet<String>,
    /// Everything was searched.
    pub(crate) complete: bool,
    /// The model could be read.
    pub(crate) read: bool,
    pub(crate) remark: Option<String>,
}

impl Finding {
    /// Whether there are errors, where that is known.
    pub(crate) fn faulty(&self) -> Option<bool> {
        self.errors.map(|errors| errors > 0)
    }

    /// Nothing came out, for this reason.
    fn nothing(read: bool, remark: &str) -> Self {
        Self { read, remark: Some(remark.to_owned()), ..Self::default() }
    }
}

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

struct Wishes {
    only: Option<String>,
    limits: Limits,
    quick: bool,
    argos: Option<PathBuf>,
    reduced: bool,
    random: Option<usize>,
    seed: u64,
}

/// Compares as `arguments` say.
pub fn run(arguments: &[&str]) -> ExitCode {
    let done = wishes(arguments).and_then(|wishes| match wishes.random {
        Some(count) => random(&wishes, count),
        None if wishes.reduced => reduced(&wishes),
        None => compare(&wishes),
    });
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(complaint) => {
            eprintln!("conformance: {complaint}");
            ExitCode::from(2)
        }
    }
}

fn wishes(arguments: &[&str]) -> Result<Wishes, String> {
    let limits = Limits { seconds: SECONDS, clock: Clock::Processor, memory_kb: MEMORY_KB };
    let mut wishes = Wishes {
        only: None,
        limits,
        quick: false,
        argos: None,
        reduced: false,
        random: None,
        seed: FIRST,
    };
    let mut rest = arguments.iter();
    while let Some(option) = rest.next() {
        if *option == "--skip-slow" {
            wishes.quick = true;
            wishes.limits.seconds = SECONDS_QUICK;
            continue;
        }
        if *option == "--reduced" {
            wishes.reduced = true;
            continue;
        }
        let value = *rest.next().ok_or_else(|| USAGE.to_owned())?;
        match *option {
            "--only" => wishes.only = Some(value.to_owned()),
            "--limit" => wishes.limits.seconds = value.parse().map_err(|_| USAGE.to_owned())?,
            "--argos" => wishes.argos = Some(value.into()),
            "--random" => wishes.random = Some(value.parse().map_err(|_| USAGE.to_owned())?),
            "--seed" => wishes.seed = value.parse().map_err(|_| USAGE.to_owned())?,
            _ => return Err(USAGE.to_owned()),
        }
    }
    Ok(wishes)
}

/// Whether every difference between random models is explained.
fn random(wishes: &Wishes, count: usize) -> Result<bool, String> {
    let folder = crate::root().join("target/random");
    let (text, explained) = survey(&wishes.argos()?, wishes.seed, count, &folder)?;
    if wishes.seed == FIRST {
        write("docs/conformance-random.md", text)?;
    } else {
        println!("{text}");
    }
    Ok(explained)
}

/// Writes the document of a full run; what a part of it says is printed.
fn publish(wishes: &Wishes, name: &str, text: String) -> Result<(), String> {
    if wishes.only.is_some() || wishes.quick {
        println!("{text}");
        return Ok(());
    }
    write(name, text)
}

fn write(name: &str, text: String) -> Result<(), String> {
    let path = crate::root().join(name);
    fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
}

impl Wishes {
    /// The binary to compare with SPIN.
    fn argos(&self) -> Result<PathBuf, String> {
        self.argos.clone().map_or_else(crate::ours::built, Ok)
    }
}

/// Whether ample sets keep up with SPIN's reduction.
fn reduced(wishes: &Wishes) -> Result<bool, String> {
    let (text, good) = reduced::compare(&installed()?, &wishes.argos()?, wishes)?;
    publish(wishes, "docs/reductions.md", text)?;
    Ok(good)
}

/// Whether everything that can be compared agrees.
fn compare(wishes: &Wishes) -> Result<bool, String> {
    let argos = wishes.argos()?;
    let mut sets = Vec::new();
    for set in [installed()?, corpus()?] {
        let rows = rows(&set, &argos, wishes);
        sets.push((set, rows));
    }
    let text = document::document(&sets, &crate::spin::version()?, wishes.limits);
    publish(wishes, "docs/conformance.md", text)?;
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
    Set::new("Models of the SPIN package", crate::spin::package()?)
}

/// Our own models.
fn corpus() -> Result<Set, String> {
    let mut models = Vec::new();
    collect(&crate::root().join("corpus/promela"), &mut models)
        .map_err(|error| format!("corpus/promela: {error}"))?;
    Set::new("Models of corpus/promela", models)
}

fn collect(folder: &Path, models: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            // What differs on purpose has a test of its own.
            if path.file_name().is_none_or(|name| name != "differences") {
                collect(&path, models)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "pml") {
            models.push(path);
        }
    }
    Ok(())
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
fn rows(set: &Set, argos: &Path, wishes: &Wishes) -> Vec<Row> {
    let mut rows = each(set, wishes, |model: &Path, name: String| {
        let row = Row {
            spin: spin::verify_thoroughly(model, wishes.limits),
            ours: ours::check(argos, model, &ours::OPTIONS, wishes.limits),
            model: name,
        };
        eprintln!("{}", document::row(&row));
        row
    });
    rows.sort_by(|a, b| a.model.cmp(&b.model));
    rows
}

/// What `row` makes of every model that is wanted, a few at a time.
fn each<R: Send>(set: &Set, wishes: &Wishes, row: impl Fn(&Path, String) -> R + Sync) -> Vec<R> {
    let wanted = |name: &str| wishes.only.as_ref().is_none_or(|only| name.contains(only.as_str()));
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
