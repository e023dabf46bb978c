//! The ways to run `argos check`, as far as this binary has them.

use std::path::Path;
use std::process::Command;

/// A column: what it is called and the options for it.
#[derive(Clone)]
pub(super) struct Mode {
    pub(super) name: &'static str,
    pub(super) options: Vec<&'static str>,
}

pub(super) const ONE_THREAD: &str = "one thread";
pub(super) const STRICT: &str = "strict depth first";
pub(super) const CLOSURES: &str = "closures";
pub(super) const TWO_THREADS: &str = "two threads";
pub(super) const DEFAULT: &str = "default";

/// The modes of the binary; the first is the one the table is about.
pub(super) fn of(argos: &Path) -> Result<Vec<Mode>, String> {
    let output = Command::new(argos).args(["check", "--help"]).output();
    let output = output.map_err(|error| format!("{}: {error}", argos.display()))?;
    Ok(offered(&String::from_utf8_lossy(&output.stdout)))
}

/// The modes whose options `help` names.
pub(super) fn offered(help: &str) -> Vec<Mode> {
    let threads = option(help, "--threads").is_some();
    let with = |base: &[&'static str], thread: Option<&'static str>| -> Vec<&'static str> {
        let thread = thread.filter(|_| threads).map(|count| ["--threads", count]);
        base.iter().copied().chain(thread.into_iter().flatten()).collect()
    };
    let mut exhaustive = vec!["--search", "exhaustive"];
    if has(help, "--store", "compact") {
        exhaustive.extend(["--store", "compact"]);
    }
    let closures = [&exhaustive[..], &["--engine", "closures"]].concat();
    let mut modes = vec![
        Mode { name: ONE_THREAD, options: with(&exhaustive, Some("1")) },
        Mode { name: STRICT, options: with(&["--search", "dfs"], Some("1")) },
    ];
    if has(help, "--engine", "jit") {
        modes.push(Mode { name: CLOSURES, options: with(&closures, Some("1")) });
    }
    if threads {
        modes.push(Mode { name: TWO_THREADS, options: with(&exhaustive, Some("2")) });
    }
    modes.push(Mode { name: DEFAULT, options: Vec::new() });
    modes
}

/// The part of a help text about one option.
fn option<'t>(help: &'t str, name: &str) -> Option<&'t str> {
    let start = help.find(&format!(" {name} <"))? + 1;
    let rest = &help[start..];
    let end = rest.find("\n      --").unwrap_or(rest.len());
    Some(&rest[..end])
}

/// Whether the option takes the value.
fn has(help: &str, name: &str, value: &str) -> bool {
    let Some((_, values)) = option(help, name).and_then(|part| part.split_once("ossible values:"))
    else {
        return false;
    };
    values.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').any(|word| word == value)
}
