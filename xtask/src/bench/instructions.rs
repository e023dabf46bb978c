//! `cargo xtask bench --instructions`: a guard of the hot paths that a busy machine
//! does not disturb. The same binary counts within 0.01 % from run to run, while its
//! time varies threefold.

use super::models::{self, Recipe};
use super::modes::{self, ONE_THREAD, STRICT};
use crate::needs;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use testkit::limits::{self, Clock, Limits};

/// A model and a way to search it.
const JOBS: [(&str, &str); 5] = [
    ("abp-2", ONE_THREAD),
    ("leader0", ONE_THREAD),
    ("leader0", STRICT),
    ("idle-16", ONE_THREAD),
    ("idle-240", ONE_THREAD),
];

/// More than this is a regression; another machine's `memcpy` is less.
const TOLERANCE: f64 = 0.03;

/// The simulated processor is some fifty times slower.
const LIMITS: Limits = Limits { seconds: 600, clock: Clock::Wall, memory_kb: 8 * 1024 * 1024 };

const COUNT: [&str; 4] =
    ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"];

/// Counts, compares, tells; whether nothing grew beyond the tolerance.
pub(super) fn run(argos: &Path, accept: bool) -> Result<bool, String> {
    needs::provide(&needs::SPIN)?;
    needs::provide(&needs::COUNTER)?;
    let mut counts = Vec::new();
    for (model, mode) in JOBS {
        counts.push((format!("{model}, {mode}"), counted(argos, model, mode)?));
    }
    let path = record();
    if accept {
        let old = fs::read_to_string(&path).unwrap_or_default();
        let text = written(&old, &compiler(), &counts);
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    let (told, fine) = compared(&expected, &compiler(), &counts);
    print!("{told}");
    Ok(fine)
}

fn record() -> PathBuf {
    testkit::root().join("xtask/instructions.txt")
}

fn compiler() -> String {
    let output = Command::new("rustc").arg("--version").output();
    output.map_or_else(|_| "rustc".into(), |it| String::from_utf8_lossy(&it.stdout).trim().into())
}

/// Instructions of one whole command.
fn counted(argos: &Path, model: &str, mode: &str) -> Result<u64, String> {
    let recipe = recipe(model).ok_or_else(|| format!("no model {model}"))?;
    let subject = recipe.prepare()?;
    let modes = modes::of(argos)?;
    let options = modes.iter().find(|it| it.name == mode).map(|it| it.options.clone());
    let (argos, path) = (argos.display().to_string(), subject.path.display().to_string());
    let command = [argos.as_str(), "check", path.as_str(), "--quiet"];
    let options = options.ok_or_else(|| format!("this argos has no mode {mode}"))?;
    let command = [&COUNT[..], &command, subject.options, &options].concat();
    let ran = limits::run(testkit::root(), &command, LIMITS).map_err(|error| error.to_string())?;
    match (ran.code, count(&ran.complaints)) {
        (Some(0), Some(count)) => Ok(count),
        _ => Err(format!("{model}, {mode}: no count; {}{}", ran.text, ran.complaints)),
    }
}

fn recipe(name: &str) -> Option<&'static Recipe> {
    models::SET.iter().chain(&models::IDLE).chain(&models::ARGOS).find(|recipe| recipe.name == name)
}

/// What cachegrind found: `==12== I   refs:      7,903,920`.
pub(super) fn count(complaints: &str) -> Option<u64> {
    let line = complaints.lines().find_map(|line| line.split_once(" refs:"))?.1;
    line.trim().replace(',', "").parse().ok()
}

/// The file of expected counts, with the comments of the old one.
pub(super) fn written(old: &str, compiler: &str, counts: &[(String, u64)]) -> String {
    let comments = old.lines().filter(|line| line.starts_with('#')).map(str::to_owned);
    let counts = counts.iter().map(|(job, count)| format!("{job}: {count}"));
    let lines = comments.chain([format!("compiler: {compiler}")]).chain(counts);
    lines.map(|line| line + "\n").collect()
}

/// A line for each count, and whether none grew too much or is new.
pub(super) fn compared(expected: &str, compiler: &str, counts: &[(String, u64)]) -> (String, bool) {
    let entry =
        |name: &str| expected.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    let (mut told, mut fine) = (String::new(), true);
    let before = entry("compiler").unwrap_or("unknown");
    if before != compiler {
        told += &format!("counted with {before} before, with {compiler} now\n");
    }
    for (job, count) in counts {
        let Some(before) = entry(job).and_then(|text| text.parse::<u64>().ok()) else {
            told +=
                &format!("{job}: {count}, without a count to compare with; --accept records it\n");
            fine = false;
            continue;
        };
        let moved = *count as f64 / before as f64 - 1.0;
        let verdict = verdict(moved);
        fine &= moved <= TOLERANCE;
        told += &format!("{job}: {count}, {:+.2} % of {before}{verdict}\n", moved * 100.0);
    }
    (told, fine)
}

fn verdict(moved: f64) -> &'static str {
    if moved > TOLERANCE {
        ": TOO MANY"
    } else if moved < -TOLERANCE {
        ": fewer; --accept records it"
    } else {
        ""
    }
}
