//! Running a program that may take too long or too much.

use std::io;
use std::path::Path;
use std::process::{Command, Output};

#[derive(Clone, Copy)]
pub(super) struct Limits {
    pub(super) seconds: u64,
    pub(super) memory_kb: u64,
}

/// What `timeout` ends with when it had to act.
const TIME_IS_UP: [i32; 2] = [124, 137];

pub(super) struct Ran {
    pub(super) text: String,
    pub(super) complaints: String,
    /// What it ended with; none if a signal ended it.
    pub(super) code: Option<i32>,
    pub(super) time_is_up: bool,
}

/// Runs `command` in `folder` within `limits`.
pub(super) fn run(folder: &Path, command: &[&str], limits: Limits) -> io::Result<Ran> {
    let script = format!("ulimit -v {}; exec timeout -k 5 \"$@\"", limits.memory_kb);
    let seconds = limits.seconds.to_string();
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, "sh", &seconds]).args(command).current_dir(folder);
    let Output { status, stdout, stderr } = shell.output()?;
    Ok(Ran {
        text: String::from_utf8_lossy(&stdout).into_owned(),
        complaints: String::from_utf8_lossy(&stderr).into_owned(),
        code: status.code(),
        time_is_up: status.code().is_some_and(|code| TIME_IS_UP.contains(&code)),
    })
}
