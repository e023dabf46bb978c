//! What a package installs beside the command, made from what can be typed: completions for
//! shells and manual pages. And the short help: what people use first.

use crate::USAGE;
use crate::args::Arguments;
use crate::output::{complain, print};
use clap::{Arg, CommandFactory};
use clap_complete::Shell;

/// The options that the short help of a command lists, by the names of their fields. The long
/// help lists all.
const FIRST: [&str; 21] = [
    "files",
    "file",
    "only",
    "all_errors",
    "ltl",
    "fair",
    "search",
    "threads",
    "time",
    "memory",
    "defines",
    "chart",
    "steps",
    "json",
    "quiet",
    "trace",
    "interactive",
    "follow",
    "seed",
    "target",
    "format",
];

/// A command with more options than these has a short help of its own.
const FEW: usize = 20;

/// What can be typed, with short helps that fit a screen.
pub(crate) fn command() -> clap::Command {
    let first = |arg: Arg| match FIRST.contains(&arg.get_id().as_str()) {
        true => arg,
        false => arg.hide_short_help(true),
    };
    Arguments::command().mut_subcommands(|command| {
        if command.get_arguments().count() <= FEW {
            return command;
        }
        let more = format!("All options: argos {} --help", command.get_name());
        command.mut_args(first).after_help(more)
    })
}

/// Prints the completions of a shell.
pub(crate) fn completions(shell: Shell) -> u8 {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "argos", &mut text);
    print(&String::from_utf8_lossy(&text));
    0
}

/// Prints the manual page of the program, or of one command.
pub(crate) fn manual(name: Option<&str>) -> u8 {
    let mut command = Arguments::command();
    command.build();
    let page = match name {
        None => Some(&command),
        Some(name) => command.find_subcommand(name),
    };
    let Some(page) = page else {
        let name = name.unwrap_or_default();
        complain(&format!("no command `{name}`; `argos help` lists the commands"));
        return USAGE;
    };
    let title = name.map_or_else(|| "argos".to_owned(), |name| format!("argos-{name}"));
    let mut text = Vec::new();
    let source = concat!("argos ", env!("CARGO_PKG_VERSION"));
    // Only a text that cannot grow fails to be written.
    let _ = clap_mangen::Man::new(page.clone()).title(title).source(source).render(&mut text);
    print(&String::from_utf8_lossy(&text));
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_help_of_each_command_fits_a_screen() {
        let mut command = command();
        command.build();
        for command in command.get_subcommands_mut() {
            let help = command.render_help().to_string();
            let lines = help.lines().count();
            assert!(lines <= 40, "{}: {lines} lines", command.get_name());
        }
    }

    #[test]
    fn every_option_of_the_short_help_exists() {
        let command = Arguments::command();
        let all: Vec<String> = command
            .get_subcommands()
            .flat_map(|command| command.get_arguments().map(|arg| arg.get_id().to_string()))
            .collect();
        for id in FIRST {
            assert!(all.iter().any(|known| known == id), "{id}");
        }
    }
}
