//! Where and with what it was measured.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;

pub(super) struct Machine {
    pub(super) processor: String,
    pub(super) cores: usize,
    pub(super) memory_kb: u64,
    pub(super) date: String,
    /// Programs that wanted to run in the minute before, by the kernel.
    pub(super) load: String,
    pub(super) versions: Vec<String>,
}

impl Machine {
    pub(super) fn this(argos: &Path) -> Self {
        let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let meminfo = fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let argos = argos.display().to_string();
        let commands: [&[&str]; 5] = [
            &[&argos, "--version"],
            &["git", "describe", "--always", "--dirty"],
            &["rustc", "--version"],
            &["spin", "-V"],
            &["gcc", "--version"],
        ];
        Self {
            processor: after(&cpuinfo, "model name").unwrap_or("unknown processor").to_owned(),
            cores: thread::available_parallelism().map_or(1, usize::from),
            memory_kb: memory_kb(&meminfo),
            date: says(&["date", "+%F"]),
            load: load.split(' ').next().unwrap_or_default().to_owned(),
            versions: commands.iter().map(|command| named(command)).collect(),
        }
    }
}

/// The version a program tells; that of the sources by its commit.
fn named(command: &[&str]) -> String {
    let version = says(command);
    if command[0] == "git" { format!("commit {version}") } else { version }
}

/// All there is; 4 GB where the kernel does not tell.
fn memory_kb(meminfo: &str) -> u64 {
    let words = after(meminfo, "MemTotal").and_then(|rest| rest.split(' ').next());
    words.and_then(|word| word.parse().ok()).unwrap_or(4 * 1024 * 1024)
}

/// What stands behind `name` and a colon.
fn after<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim())
}

/// The first line a program prints.
fn says(command: &[&str]) -> String {
    let output = Command::new(command[0]).args(&command[1..]).current_dir(testkit::root()).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    text.unwrap_or_default().lines().next().unwrap_or("unknown").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{after, memory_kb};

    #[test]
    fn the_kernel_is_understood() {
        assert_eq!(memory_kb("MemTotal:       24603132 kB\nMemFree: 1 kB\n"), 24_603_132);
        assert_eq!(after("model name\t: AMD EPYC\n", "model name"), Some("AMD EPYC"));
    }
}
