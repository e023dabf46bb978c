//! The test programs of the workspace, as many at a time as there are processors. `cargo test`
//! runs one after the other, and while the last test of each goes on the other processors are
//! idle.
//!
//! Tests of the command run the one that people use, of which instructions are counted, too:
//! optimised, in half the time. Debug assertions are on in the tests of the crates below it.

use crate::binary;
use serde_json::Value;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::{env, io, thread};
use testkit::root;

/// These programs have the longest single tests: what begins last must be short.
const FIRST: [&str; 3] = ["pipeline", "cli", "search"];

/// A test program.
struct Program {
    package: PathBuf,
    name: String,
    path: PathBuf,
}

/// Builds and runs all of them; whether they pass.
pub(crate) fn run() -> Result<bool, String> {
    let Some(messages) = built()? else { return Ok(false) };
    let command = binary::built(binary::RELEASE)?;
    let is_test = |artifact: &&Value| {
        artifact["executable"].is_string() && artifact["profile"]["test"] == true
    };
    let mut programs: Vec<Program> = messages.iter().filter(is_test).map(Program::of).collect();
    programs.sort_by_key(|program| {
        let first = FIRST.iter().position(|name| program.package.ends_with(name));
        first.unwrap_or(FIRST.len())
    });
    let failed = all(programs, &command);
    for name in &failed {
        println!("failed: {name}");
    }
    Ok(failed.is_empty())
}

/// What cargo says of the build, if it succeeds.
fn built() -> Result<Option<Vec<Value>>, String> {
    let output = Command::new(cargo())
        .args(["test", "--workspace", "--locked", "--no-run"])
        .arg("--message-format=json-render-diagnostics")
        .current_dir(root())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    let lines = String::from_utf8_lossy(&output.stdout);
    let messages = lines.lines().filter_map(|line| serde_json::from_str(line).ok());
    Ok(output.status.success().then(|| messages.collect()))
}

pub(crate) fn cargo() -> std::ffi::OsString {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Runs them; the names of those that fail.
fn all(programs: Vec<Program>, command: &Path) -> Vec<String> {
    let waiting = Mutex::new(VecDeque::from(programs));
    let failed = Mutex::new(Vec::new());
    let next = || waiting.lock().expect("no thread panics").pop_front();
    let processors = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..processors {
            scope.spawn(|| {
                while let Some(program) = next() {
                    if !program.passes(command) {
                        failed.lock().expect("no thread panics").push(program.name);
                    }
                }
            });
        }
    });
    failed.into_inner().expect("no thread panics")
}

impl Program {
    fn of(artifact: &Value) -> Self {
        let manifest = Path::new(text(&artifact["manifest_path"]));
        let package = manifest.parent().unwrap_or(manifest).to_owned();
        let crate_name = package.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("{crate_name}: {}", text(&artifact["target"]["name"]));
        Self { package, name, path: text(&artifact["executable"]).into() }
    }

    /// Runs it and prints what it says, in one piece.
    fn passes(&self, command: &Path) -> bool {
        let (told, passed) = match self.output(command) {
            Ok(Output { status, stdout, stderr }) => {
                let told = [stdout, stderr].concat();
                (String::from_utf8_lossy(&told).into_owned(), status.success())
            }
            Err(error) => (format!("it cannot be run: {error}\n"), false),
        };
        print!("-- {}\n{told}", self.name);
        passed
    }

    /// As cargo runs it.
    fn output(&self, command: &Path) -> io::Result<Output> {
        let mut test = Command::new(&self.path);
        test.current_dir(&self.package)
            .env("CARGO_MANIFEST_DIR", &self.package)
            .env("CARGO_BIN_EXE_argos", command)
            // A snapshot that differs is a failure, never a new file.
            .env("INSTA_UPDATE", "no")
            .stdin(Stdio::null())
            .output()
    }
}
