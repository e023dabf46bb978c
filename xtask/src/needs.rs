//! What a chore needs besides Rust.

use std::process::{Command, Stdio};

/// A program that must be there, and the Debian package that has it.
pub(crate) type Need = (&'static str, &'static str);

/// SPIN 6.5.2 and a C compiler, to be compared with.
pub(crate) const SPIN: [Need; 2] = [("spin", "spin"), ("gcc", "gcc")];
/// A C compiler that takes a fortieth of the time, for many small verifiers.
pub(crate) const QUICK: [Need; 1] = [("tcc", "tcc")];
/// What opens HTML reports.
pub(crate) const BROWSER: [Need; 1] = [("chromium", "chromium")];
/// What counts instructions.
pub(crate) const COUNTER: [Need; 1] = [("valgrind", "valgrind")];

/// Installs what is missing where it can; else says what to install.
pub(crate) fn provide(needs: &[Need]) -> Result<(), String> {
    let missing: Vec<&str> = needs
        .iter()
        .filter(|(program, _)| !is_there(program))
        .map(|(_, package)| *package)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let install = format!("apt-get install -y {}", missing.join(" "));
    let run = |line: &str| Command::new("sh").args(["-c", line]).status();
    let done = is_there("apt-get")
        && run("apt-get update -qq").is_ok()
        && run(&install).is_ok_and(|status| status.success())
        && needs.iter().all(|(program, _)| is_there(program));
    match done {
        true => Ok(()),
        false => Err(format!(
            "this needs {} and could not install it; please do (Debian: {install})",
            missing.join(" and ")
        )),
    }
}

fn is_there(program: &str) -> bool {
    let mut look = Command::new("sh");
    look.args(["-c", &format!("command -v {program}")]).stdout(Stdio::null());
    look.status().is_ok_and(|status| status.success())
}
