//! Chores of the repository. `cargo xtask test` is everything that must pass;
//! CI runs exactly that. `cargo xtask conformance` compares with an installed SPIN,
//! `cargo xtask bench` measures beside it.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to its user")]

use std::env;
use std::process::{Command, ExitCode};
use std::time::Instant;
use xtask::{bench, conformance, needs, root};

/// One thing that must pass.
struct Step {
    name: &'static str,
    arguments: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
}

const TEST: [Step; 5] = [
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
        name: "tests",
        arguments: &["test", "--workspace", "--locked"],
        // A snapshot that differs is a failure, never a new file.
        environment: &[("INSTA_UPDATE", "no")],
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["test"] => test(),
        ["conformance", options @ ..] => conformance::run(options),
        ["bench", options @ ..] => bench::run(options),
        _ => {
            eprintln!("usage: cargo xtask test    everything that must pass");
            eprintln!("       {}", conformance::USAGE);
            eprintln!("       {}", bench::USAGE);
            ExitCode::from(2)
        }
    }
}

fn test() -> ExitCode {
    if let Err(missing) = needs::provide(&needs::SPIN) {
        eprintln!("{missing}");
        return ExitCode::FAILURE;
    }
    if let Err(missing) = needs::provide(&needs::QUICK) {
        eprintln!("{missing}\n(without it the random models take minutes)");
    }
    for step in &TEST {
        let start = Instant::now();
        println!("== {} (cargo {})", step.name, step.arguments.join(" "));
        if !cargo(step) {
            eprintln!("== {} failed", step.name);
            return ExitCode::FAILURE;
        }
        println!("== {} passed in {:.0} s", step.name, start.elapsed().as_secs_f64());
    }
    ExitCode::SUCCESS
}

fn cargo(step: &Step) -> bool {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(step.arguments).envs(step.environment.iter().copied()).current_dir(root());
    match command.status() {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("cannot run cargo: {error}");
            false
        }
    }
}
