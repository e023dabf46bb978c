//! The `argos` command: files, terminal, clock, signals and exit codes. What a
//! command computes is the pipeline's business, what it prints the report's.

mod about;
mod args;
mod backward;
mod check;
mod config;
mod cpp;
mod experiments;
mod first_word;
mod help;
mod host;
mod install;
mod limit;
mod output;
mod progress;
mod quantity;
mod replay;
mod results;
mod serve;
mod show;
mod sim;
mod spin;
mod test;
mod traces;

use args::{Arguments, Command};
use clap::FromArgMatches;
use std::process::ExitCode;

/// Wrong usage of the command.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let typed: Vec<_> = std::env::args_os().collect();
    if let Some(word) = first_word::unknown_command(&typed) {
        output::complain(&format!("`{word}` is neither a command nor a file (argos help)"));
        return ExitCode::from(USAGE);
    }
    // SPIN's flags are no options of the usual kind: `-run`, `-m100`, `-DNP`.
    if typed.get(1).is_some_and(|word| word == "spin") {
        let words = typed[2..].iter().map(|word| word.to_string_lossy().into_owned());
        return ExitCode::from(spin::run(&words.collect::<Vec<_>>()));
    }
    let matches = install::command().get_matches_from(first_word::with_default_command(typed));
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let code = match arguments.command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Test(arguments) => test::run(&arguments),
        Command::Traces(arguments) => traces::run(&arguments),
        Command::Show(arguments) => show::run(&arguments),
        Command::Sim(arguments) => sim::run(&arguments),
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Backward(arguments) => backward::run(&arguments),
        Command::Experiments(arguments) => experiments::run(&arguments),
        Command::Spin { words } => spin::run(&words),
        Command::Help { topic } => help::run(topic.as_deref()),
        Command::Completions { shell } => install::completions(shell),
        Command::Man { command } => install::manual(command.as_deref()),
    };
    ExitCode::from(code)
}
