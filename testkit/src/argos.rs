//! The command `argos` of this repository, run.

use crate::limits::{self, Clock, Limits, Ran};
use serde_json::Value;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The binary, in a test of the crate that builds it.
pub fn path() -> PathBuf {
    env::var_os("CARGO_BIN_EXE_argos").expect("cargo names the binary to tests of `cli`").into()
}

/// The binary, about to run in the folder of the repository.
pub fn command() -> Command {
    let mut command = Command::new(path());
    command.current_dir(crate::root());
    command
}

/// What became of a command.
#[derive(Debug)]
pub struct Run {
    /// Its exit code.
    pub code: i32,
    /// What it wrote to standard output.
    pub text: String,
    /// What it wrote to standard error.
    pub complaints: String,
}

impl Run {
    /// Runs any command to its end.
    pub fn of(command: &mut Command) -> Self {
        let output = command.output();
        Self::from(output.unwrap_or_else(|error| panic!("{command:?} cannot be run: {error}")))
    }

    /// What it wrote, as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text)
            .unwrap_or_else(|error| panic!("{error}: {}{}", self.text, self.complaints))
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().expect("no signal ends it"),
            text: String::from_utf8_lossy(&output.stdout).into_owned(),
            complaints: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// `argos` with these arguments, in the folder of the repository.
pub fn run(arguments: &[&str]) -> Run {
    Run::of(command().args(arguments))
}

/// The same in another folder.
pub fn run_in(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(command().args(arguments).current_dir(folder))
}

/// The exit code and the report of `argos check`.
pub fn check(model: impl AsRef<Path>, options: &[&str]) -> (i32, Value) {
    let run = Run::of(command().args(["check", "--json"]).args(options).arg(model.as_ref()));
    (run.code, run.json())
}

/// Why there is no report.
pub enum Failure {
    /// The command cannot be run.
    NotRun(String),
    /// It did not stop in time.
    Late,
    /// A fault of argos itself.
    Fault(&'static str),
}

impl Failure {
    /// In a few words.
    pub fn remark(&self) -> String {
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
pub fn limited_check(
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
pub fn counts(report: &Value) -> [u64; 3] {
    ["states", "matched", "transitions"]
        .map(|name| report["stats"][name].as_u64().unwrap_or_default())
}

/// Why a report is not that of a complete search; empty if it is.
pub fn reasons(report: &Value) -> Vec<&str> {
    let list = report["why_incomplete"].as_array().map_or(&[][..], Vec::as_slice);
    list.iter().filter_map(Value::as_str).collect()
}

/// The errors of a model, each once.
pub fn complaints(report: &Value) -> String {
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
