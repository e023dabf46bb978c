//! The argos of this repository, built and run.

use crate::limits::{self, Clock, Limits, Ran};
use serde_json::Value;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The release binary, up to date.
pub(crate) fn built() -> Result<PathBuf, String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["build", "--release", "--locked", "-p", "cli"]).current_dir(crate::root());
    match command.status() {
        Ok(status) if status.success() => {}
        _ => return Err("argos cannot be built".to_owned()),
    }
    let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    Ok(target.unwrap_or_else(|| crate::root().join("target")).join("release/argos"))
}

/// Why there is no report.
pub(crate) enum Failure {
    NotRun(String),
    Late,
    /// A fault of argos itself.
    Fault(&'static str),
}

impl Failure {
    pub(crate) fn remark(&self) -> String {
        match self {
            Self::NotRun(error) => format!("not run: {error}"),
            Self::Late => "argos: does not stop in time".to_owned(),
            Self::Fault(what) => format!("argos: internal error, {what}"),
        }
    }
}

/// The exit code for a fault of argos itself.
const FAULT: i32 = 5;

/// The report of `argos check MODEL OPTIONS --json`; the search ends by itself
/// within the seconds of `limits`.
pub(crate) fn check(
    argos: &Path,
    model: &Path,
    options: &[&str],
    limits: Limits,
) -> Result<(Value, Ran), Failure> {
    let (argos, model) = (argos.display().to_string(), model.display().to_string());
    let time = format!("{}s", limits.wall());
    // The search may use most of the address space; the rest is for the report.
    let memory = format!("{}M", limits.memory_kb / 1024 * 3 / 4);
    let mut command = vec![argos.as_str(), "check", model.as_str()];
    command.extend(options);
    command.extend(["--json", "--memory", memory.as_str(), "--time", time.as_str()]);
    // The report of a search that ends just in time still has to be written.
    let limits = match limits.clock {
        Clock::Wall => Limits { seconds: limits.seconds + 10, ..limits },
        Clock::Processor => limits,
    };
    let ran = limits::run(crate::root(), &command, limits)
        .map_err(|error| Failure::NotRun(error.to_string()))?;
    match serde_json::from_str(&ran.text) {
        Ok(report) if ran.code != Some(FAULT) => Ok((report, ran)),
        Ok(_) => Err(Failure::Fault("a run that does not replay")),
        Err(_) if ran.time_is_up => Err(Failure::Late),
        Err(_) => Err(Failure::Fault("no report")),
    }
}

/// Stored, matched, transitions of a report.
pub(crate) fn counts(report: &Value) -> [u64; 3] {
    ["states", "matched", "transitions"]
        .map(|name| report["stats"][name].as_u64().unwrap_or_default())
}

/// Why a report is not that of a complete search; empty if it is.
pub(crate) fn reasons(report: &Value) -> Vec<&str> {
    let list = report["why_incomplete"].as_array().map_or(&[][..], Vec::as_slice);
    list.iter().filter_map(Value::as_str).collect()
}

/// The errors of a model, each once.
pub(crate) fn complaints(report: &Value) -> String {
    let all = report["diagnostics"].as_array().map_or(&[][..], Vec::as_slice);
    let mut errors: Vec<String> = all
        .iter()
        .filter(|entry| entry["severity"] == "error")
        .map(|entry| {
            let word = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
            format!("{} {}", word("id"), word("message"))
        })
        .collect();
    errors.dedup();
    format!("argos refuses: {}", errors.join("; "))
}
