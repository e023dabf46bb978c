//! SPIN on one model, without its reductions, in a folder of its own.

use crate::limits::{self, Limits, Ran, Spent};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// How a verifier is generated, before the name of the model.
pub const GENERATE: [&str; 5] = ["spin", "-a", "-o1", "-o2", "-o3"];

/// What `spin -V` says.
pub fn version() -> Result<String, String> {
    let output = Command::new("spin").arg("-V").output();
    let output = output.map_err(|error| format!("spin: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The models that come with SPIN, where the package puts them.
pub fn package() -> Result<Vec<PathBuf>, String> {
    let output = Command::new("dpkg").args(["-L", "spin"]).output();
    let output = output.map_err(|error| format!("dpkg: {error}"))?;
    let list = String::from_utf8_lossy(&output.stdout);
    Ok(list.lines().filter(|line| line.ends_with(".pml")).map(PathBuf::from).collect())
}

/// The text of a model that comes with SPIN.
pub fn installed(model: &str) -> Result<String, String> {
    let place = package()?.into_iter().find(|path| path.ends_with(model));
    let place = place.ok_or_else(|| format!("the SPIN package has no {model}"))?;
    std::fs::read_to_string(&place).map_err(|error| format!("{}: {error}", place.display()))
}

/// Whether there is `tcc`, which compiles a verifier in a fortieth of the time of `gcc`.
pub fn has_tcc() -> bool {
    let mut look = Command::new("tcc");
    let found = look.arg("-v").stdout(Stdio::null()).stderr(Stdio::null()).status();
    found.is_ok_and(|status| status.success())
}

/// Why there are no figures.
#[derive(Debug)]
pub struct Obstacle {
    /// SPIN could read the model.
    pub read: bool,
    /// In a few words.
    pub remark: String,
}

impl Obstacle {
    fn new(read: bool, remark: &str) -> Self {
        Self { read, remark: remark.to_owned() }
    }
}

/// A verifier, compiled and ready to run.
pub struct Verifier {
    folder: TempDir,
    limits: Limits,
    /// By SPIN and by the compiler.
    pub spent: [Spent; 2],
}

impl Verifier {
    /// Generates without merged statements and compiles; the first stage that fails says why.
    pub fn build(model: &Path, compile: &[&str], limits: Limits) -> Result<Self, Obstacle> {
        Self::generate(model, &GENERATE, compile, limits)
    }

    /// The same by another command that generates it.
    pub fn generate(
        model: &Path,
        generate: &[&str],
        compile: &[&str],
        limits: Limits,
    ) -> Result<Self, Obstacle> {
        let folder = tempfile::tempdir().map_err(|error| not_run(&error))?;
        let mut verifier = Self { folder, limits, spent: [Spent::default(); 2] };
        let name = model.display().to_string();
        let generated = verifier.run(&[generate, &[name.as_str()]].concat())?;
        if !verifier.folder.path().join("pan.c").exists() || generated.code != Some(0) {
            return Err(Obstacle::new(false, &refusal(&generated)));
        }
        let compiled = verifier.run(compile)?;
        if compiled.code != Some(0) {
            return Err(Obstacle::new(true, "SPIN: the verifier does not compile"));
        }
        verifier.spent = [generated.spent, compiled.spent];
        Ok(verifier)
    }

    /// Runs a command beside the verifier.
    pub fn run(&self, command: &[&str]) -> Result<Ran, Obstacle> {
        limits::run(self.folder.path(), command, self.limits).map_err(|error| not_run(&error))
    }
}

fn not_run(error: &std::io::Error) -> Obstacle {
    Obstacle::new(false, &format!("not run: {error}"))
}

/// The first thing SPIN complains about, without the place.
fn refusal(ran: &Ran) -> String {
    // The word `Error` also stands before warnings about `else`.
    let grave = |line: &&str| !line.contains("dubious use");
    let lines = || ran.text.lines().chain(ran.complaints.lines()).filter(grave);
    let after = |mark: &str| lines().find_map(|line| line.split_once(mark));
    let complaint = after("Error: ").or_else(|| after("tl_spin: "));
    let complaint = complaint.map_or("no reason given", |(_, text)| text);
    format!("SPIN refuses: {}", complaint.split('\t').next().unwrap_or(complaint).trim())
}

/// What a verifier writes about its search.
pub struct Figures {
    /// Stored, matched, transitions.
    pub counts: [u64; 3],
    /// How many errors there are, where that is known.
    pub errors: Option<u64>,
    /// The longest path.
    pub depth: Option<u64>,
    /// What the stored states take, without the hash table.
    pub state_bytes: Option<f64>,
    /// What the verifier holds in all.
    pub memory_bytes: Option<f64>,
    /// Why the figures are not those of a complete search, or not exact.
    pub cut: Option<&'static str>,
}

/// Reads what a verifier wrote.
pub fn figures(ran: &Ran) -> Result<Figures, Obstacle> {
    if ran.time_is_up {
        return Err(Obstacle::new(true, "SPIN: out of time"));
    }
    let before = |mark: &str| {
        let line = ran.text.lines().find(|line| line.contains(mark))?;
        line.split_whitespace().next()
    };
    let after = |mark: &str| {
        let (_, rest) = ran.text.lines().find_map(|line| line.split_once(mark))?;
        rest.split([',', ' ']).next()
    };
    let told = [" states, stored", " states, matched", " transitions (="].map(before);
    let [Some(stored), Some(matched), Some(transitions)] = told.map(|it| it.and_then(count)) else {
        return Err(Obstacle::new(true, silence(ran)));
    };
    let bytes = |mark: &str| Some(before(mark)?.parse::<f64>().ok()? * 1024.0 * 1024.0);
    Ok(Figures {
        counts: [stored, matched, transitions],
        errors: after("errors: ").and_then(|count| count.trim().parse().ok()),
        depth: after("depth reached ").and_then(|depth| depth.parse().ok()),
        state_bytes: bytes("\tactual memory usage for states"),
        memory_bytes: bytes("\ttotal actual memory usage"),
        cut: cut(ran).or(told.iter().flatten().any(|it| is_rounded(it)).then_some(ROUNDED)),
    })
}

/// A figure; large ones are written as `1.8130211e+08`.
fn count(text: &str) -> Option<u64> {
    match is_rounded(text) {
        true => text.parse::<f64>().ok().map(|figure| figure as u64),
        false => text.parse().ok(),
    }
}

fn is_rounded(text: &str) -> bool {
    text.contains('e')
}

/// What a verifier calls its errors, and what argos does.
const KINDS: [(&str, &str); 8] = [
    ("invalid array index", "index"),
    ("assertion violated", "assertion"),
    ("invalid end state", "deadlock"),
    ("end state in claim reached", "claim"),
    ("parameters in", "arity"),
    ("chan name", "channel"),
    ("non-determinism in D_proctype", "nondeterminism"),
    ("d_step", "endless-atomic"),
];

/// The kinds of errors a verifier writes about, in the words of argos.
pub fn kinds(text: &str) -> BTreeSet<String> {
    let told = text.lines().filter(|line| line.starts_with("pan:") && line.contains(" (at depth"));
    told.map(|line| {
        let known = KINDS.iter().find(|(words, _)| line.contains(words));
        known.map_or(line, |(_, kind)| kind).to_owned()
    })
    .collect()
}

/// Why a verifier ended without figures.
fn silence(ran: &Ran) -> &'static str {
    let said = |words: &str| ran.text.contains(words) || ran.complaints.contains(words);
    if said("self-loop") {
        "SPIN refuses: unconditional self-loop"
    } else if said("inherits") {
        "SPIN refuses: two `else` in one choice"
    } else if said("too many processes") {
        "SPIN: too many processes"
    } else if said("out of memory") {
        "SPIN: out of memory"
    } else {
        "SPIN: the verifier is killed"
    }
}

/// What more room may help against.
pub const DEPTH: &str = "SPIN: out of depth";
/// The same, of the length of a state.
pub const VECTOR: &str = "SPIN: state vector too small";

/// Some figures are too large to be written exactly.
pub const ROUNDED: &str = "SPIN: figures are rounded";

/// Why the figures are not those of a complete search.
fn cut(ran: &Ran) -> Option<&'static str> {
    let said = |words: &str| ran.text.contains(words) || ran.complaints.contains(words);
    let reasons = [
        ("max search depth too small", DEPTH),
        ("out of memory", "SPIN: out of memory"),
        ("MEMLIM", "SPIN: out of memory"),
        ("VECTORSZ", VECTOR),
        ("too many processes", "SPIN: too many processes"),
        ("too many queues", "SPIN: too many channels"),
        ("Search not completed", "SPIN: search not completed"),
    ];
    reasons.into_iter().find(|(words, _)| said(words)).map(|(_, reason)| reason)
}

#[cfg(test)]
mod tests {
    use super::{figures, refusal};
    use crate::limits::Ran;

    const REPORT: &str = "\
State-vector 60 byte, depth reached 7631, errors: 220
   116087 states, stored
   125521 states, matched
   241608 transitions (= stored+matched)
Stats on memory usage (in Megabytes):
    8.857	equivalent memory usage for states (stored*(State-vector + overhead))
    6.500	actual memory usage for states (compression: 72.73%)
  128.000	memory used for hash table (-w24)
  134.784	total actual memory usage
";

    fn ran(text: &str) -> Ran {
        Ran { text: text.to_owned(), code: Some(0), ..Ran::default() }
    }

    #[test]
    fn the_figures_of_a_verifier_are_read() {
        let read = figures(&ran(REPORT)).expect("figures");
        assert_eq!(read.counts, [116_087, 125_521, 241_608]);
        assert_eq!((read.errors, read.depth, read.cut), (Some(220), Some(7631), None));
        let megabytes = |count: f64| Some(count * 1024.0 * 1024.0);
        assert_eq!([read.state_bytes, read.memory_bytes], [6.5, 134.784].map(megabytes));
    }

    #[test]
    fn a_search_that_was_cut_says_so() {
        let read = figures(&ran(&format!("error: max search depth too small\n{REPORT}")));
        assert_eq!(read.expect("figures").cut, Some("SPIN: out of depth"));
        let none = figures(&ran("pan: out of memory\n"));
        assert_eq!(none.err().map(|obstacle| obstacle.remark), Some("SPIN: out of memory".into()));
        let late = figures(&Ran { time_is_up: true, ..ran(REPORT) });
        assert!(late.is_err());
    }

    #[test]
    fn large_figures_are_rounded() {
        let text = REPORT.replace("241608 trans", "1.8130211e+08 trans");
        let read = figures(&ran(&text)).expect("figures");
        assert_eq!((read.counts[2], read.cut), (181_302_110, Some(super::ROUNDED)));
    }

    #[test]
    fn a_refusal_is_told_without_its_place() {
        let said = "spin: m.pml:3, Error: undeclared variable: x\tsaw 'x'\n";
        assert_eq!(refusal(&ran(said)), "SPIN refuses: undeclared variable: x");
    }
}
