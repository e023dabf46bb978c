//! The `argos` command: files, terminal, clock, signals and exit codes. What a
//! command computes is the pipeline's business, what it prints the report's.

mod args;
mod check;
mod help;
mod host;
mod output;
mod quantity;
mod replay;
mod show;
mod sim;

use args::{Arguments, Command};
use clap::Parser;
use std::process::ExitCode;

/// Wrong usage of the command.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let arguments = Arguments::parse_from(args::with_default_command(std::env::args_os()));
    let code = match arguments.command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Show(arguments) => show::run(&arguments),
        Command::Sim(arguments) => sim::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Help { topic } => help::run(topic.as_deref()),
    };
    ExitCode::from(code)
}
