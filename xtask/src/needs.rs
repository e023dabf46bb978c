//! What the tests need besides Rust: SPIN and a C compiler, to be compared with.

use std::process::{Command, Stdio};

/// A program that must be there, and the Debian package that has it.
const NEEDS: [(&str, &str); 2] = [("spin", "spin"), ("gcc", "gcc")];

/// Installs what is missing where it can; else says what to install.
pub(crate) fn provide() -> Result<(), String> {
    let missing: Vec<&str> = NEEDS
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
        && NEEDS.iter().all(|(program, _)| is_there(program));
    match done {
        true => Ok(()),
        false => Err(format!(
            "the tests compare with SPIN 6.5.2 and need {}; install them (Debian: {install})",
            missing.join(" and ")
        )),
    }
}

fn is_there(program: &str) -> bool {
    let mut look = Command::new("sh");
    look.args(["-c", &format!("command -v {program}")]).stdout(Stdio::null());
    look.status().is_ok_and(|status| status.success())
}
