//! Chores of the repository. `cargo xtask test` is everything that must pass;
//! CI runs exactly that. `cargo xtask conformance` compares with an installed SPIN,
//! `cargo xtask bench` measures beside it, `cargo xtask dist` makes packages.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to its user")]

mod bench;
mod binary;
mod conformance;
mod dist;
mod needs;
mod suite;

use clap::Parser;
use std::process::{Command, ExitCode};
use std::time::Instant;
use testkit::root;

/// One thing that must pass.
struct Step {
    name: &'static str,
    arguments: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
}

const STEPS: [Step; 5] = [
    Step { name: "format", arguments: &["fmt", "--all", "--check"], environment: &[] },
    Step {
        name: "lints",
        arguments: &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"],
        environment: &[],
    },
    Step {
        name: "lints without machine code",
        arguments: &[
            "clippy",
            "--package",
            "cli",
            "--no-default-features",
            "--locked",
            "--",
            "-D",
            "warnings",
        ],
        environment: &[],
    },
    Step {
        name: "documentation",
        arguments: &["doc", "--workspace", "--no-deps", "--locked"],
        environment: &[("RUSTDOCFLAGS", "-D warnings")],
    },
    Step {
        name: "examples in the documentation",
        arguments: &["test", "--workspace", "--doc", "--locked"],
        environment: &[],
    },
];

/// Chores of the repository.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
enum Chore {
    /// Everything that must pass.
    Test,
    Conformance(conformance::Arguments),
    Bench(bench::Arguments),
    Dist(dist::Arguments),
}

fn main() -> ExitCode {
    let done = match Chore::parse() {
        Chore::Test => test(),
        Chore::Conformance(arguments) => conformance::run(&arguments),
        Chore::Bench(arguments) => bench::run(&arguments),
        Chore::Dist(arguments) => dist::run(&arguments),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(complaint) => {
            eprintln!("{complaint}");
            ExitCode::from(2)
        }
    }
}

/// Every step, until one fails.
fn test() -> Result<bool, String> {
    needs::provide(&needs::SPIN)?;
    needs::provide(&needs::COUNTER)?;
    needs::provide(&needs::BROWSER)?;
    if let Err(missing) = needs::provide(&needs::QUICK) {
        eprintln!("{missing}\n(without it the random models take minutes)");
    }
    for step in &STEPS {
        let line = format!("cargo {}", step.arguments.join(" "));
        if !timed(step.name, &line, || Ok(cargo(step)))? {
            return Ok(false);
        }
    }
    Ok(timed("tests", "the programs of cargo test --workspace", suite::run)?
        && timed("instructions", "cargo xtask bench --instructions", bench::guard)?)
}

/// Whether a step passes, told with the time it takes.
fn timed(
    name: &str,
    line: &str,
    step: impl FnOnce() -> Result<bool, String>,
) -> Result<bool, String> {
    let start = Instant::now();
    println!("== {name} ({line})");
    let passed = step()?;
    let end = if passed { "passed" } else { "failed" };
    println!("== {name} {end} in {:.0} s", start.elapsed().as_secs_f64());
    Ok(passed)
}

fn cargo(step: &Step) -> bool {
    let mut command = Command::new(suite::cargo());
    command.args(step.arguments).envs(step.environment.iter().copied()).current_dir(root());
    match command.status() {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("cannot run cargo: {error}");
            false
        }
    }
}
