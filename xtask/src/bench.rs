//! `cargo xtask bench`: how fast `argos check` is, beside SPIN's verifier.
//!
//! In: the `spin` and `gcc` of this machine, models of the SPIN package and of this
//! repository, and `argos`, built first. Out: the generated part of
//! `docs/performance.md` and `docs/performance.svg`. Fails if figures differ that
//! must be the same. With `--live` it measures formulas instead, with `--instructions` it
//! counts instructions.

mod chart;
mod commands;
mod document;
mod figures;
mod instructions;
mod live;
mod machine;
mod measure;
mod models;
mod modes;
#[cfg(test)]
mod tests;

use crate::{binary, needs};
use clap::Args;
use commands::CommandBench;
use document::Marks;
use figures::{Results, Row};
use live::LiveBench;
use machine::Machine;
use measure::Bench;
use models::Recipe;
use std::fs;
use std::path::{Path, PathBuf};
use testkit::limits::{Clock, Limits};
use testkit::spin;

const REPETITIONS: usize = 3;
/// Of one run; the slowest of the set takes pan about a minute.
const SECONDS: u64 = 900;
const SECONDS_QUICK: u64 = 60;
/// A model that neither command decides in this time is not compared.
const SECONDS_COMMAND: u64 = 180;

/// Measure beside SPIN, write docs/performance.md and .svg.
#[derive(Args, Default)]
pub(crate) struct Arguments {
    /// One run of each, without the large models; prints, writes nothing.
    #[arg(long)]
    quick: bool,
    /// So many runs of each instead of three; the best one counts.
    #[arg(long, value_name = "N")]
    runs: Option<usize>,
    /// Only these models; prints, writes nothing.
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_parser = known)]
    models: Option<Vec<String>>,
    /// Write performance.md and performance.svg there and not into docs.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// This binary, instead of building one.
    #[arg(long, value_name = "FILE")]
    argos: Option<PathBuf>,
    /// Formulas instead, beside `pan -a`; writes a part of docs/performance.md.
    #[arg(long, conflicts_with = "out")]
    live: bool,
    /// Whole commands instead, `argos check` beside `spin -run`; writes a part of the page.
    #[arg(long, conflicts_with_all = ["out", "live"])]
    commands: bool,
    /// Count instructions and compare with xtask/instructions.txt.
    #[arg(long)]
    instructions: bool,
    /// With --instructions: write the new counts there.
    #[arg(long, requires = "instructions")]
    accept: bool,
}

/// Measures; whether all is as it should be.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    if arguments.instructions {
        return instructions::run(&arguments.binary(binary::RELEASE)?, arguments.accept);
    }
    match arguments {
        Arguments { live: true, .. } => measured_live(arguments),
        Arguments { commands: true, .. } => measured_commands(arguments),
        _ => measured(arguments),
    }
}

/// Whether no hot path executes more instructions than is recorded.
pub(crate) fn guard() -> Result<bool, String> {
    run(&Arguments { instructions: true, ..Arguments::default() })
}

/// The name of a model, if there is one.
fn known(name: &str) -> Result<String, String> {
    let recipes = [&models::SET[..], &models::GROWTH, &models::ARGOS, &models::SCALED].concat();
    let live = live::SET.iter().chain([&live::MANY, &live::PETERSON]).map(|recipe| recipe.name);
    let package = spin::package().unwrap_or_default();
    let package = package.iter().filter_map(|path| path.file_stem()?.to_str());
    let mut names: Vec<&str> = recipes.iter().map(|recipe| recipe.name).chain(live).collect();
    match names.contains(&name) || package.clone().any(|known| known == name) {
        true => Ok(name.to_owned()),
        false => {
            names.dedup();
            Err(format!(
                "no model {name}; there are {}, and with --commands all of the package",
                names.join(", ")
            ))
        }
    }
}

impl Arguments {
    fn binary(&self, profile: &str) -> Result<PathBuf, String> {
        self.argos.clone().map_or_else(|| binary::built(profile), Ok)
    }

    fn wants(&self, name: &str, is_large: bool) -> bool {
        match &self.models {
            Some(names) => names.iter().any(|wanted| wanted == name),
            None => !(self.quick && is_large),
        }
    }

    /// Of one run, on a machine with so much memory.
    fn limits(&self, memory_kb: u64) -> Limits {
        let seconds = if self.quick { SECONDS_QUICK } else { SECONDS };
        Limits { seconds, clock: Clock::Wall, memory_kb }
    }

    fn repetitions(&self) -> usize {
        self.runs.unwrap_or(if self.quick { 1 } else { REPETITIONS }).max(1)
    }

    /// Only the whole set may go into the documentation.
    fn is_whole(&self) -> bool {
        !self.quick && self.models.is_none()
    }

    /// The command, for the document.
    fn line(&self) -> String {
        let models = self.models.as_ref().map(|names| format!(" --models {}", names.join(",")));
        let live = if self.live { " --live" } else { "" };
        let live = if self.commands { " --commands" } else { live };
        let quick = if self.quick { " --quick" } else { "" };
        let runs = self.runs.map(|runs| format!(" --runs {runs}")).unwrap_or_default();
        format!("cargo xtask bench{live}{quick}{runs}{}", models.unwrap_or_default())
    }
}

/// Measures and writes; whether all figures that must agree do.
fn measured(arguments: &Arguments) -> Result<bool, String> {
    needs::provide(&needs::SPIN)?;
    let argos = arguments.binary(binary::DIST)?;
    let machine = Machine::this(&argos);
    let bench = Bench {
        modes: modes::of(&argos)?,
        argos,
        limits: arguments.limits(machine.memory_kb),
        repetitions: arguments.repetitions(),
    };
    let results = results(arguments, &bench)?;
    let generated = document::generated(&results, &machine, &arguments.line());
    write(arguments, &generated, &chart::svg(&results))?;
    let mut rows = results.set.iter().chain(&results.growth);
    Ok(!rows.any(|row| row.differs))
}

/// Measures formulas and writes; whether all verdicts agree.
fn measured_live(arguments: &Arguments) -> Result<bool, String> {
    needs::provide(&needs::SPIN)?;
    let argos = arguments.binary(binary::DIST)?;
    let machine = Machine::this(&argos);
    let limits = arguments.limits(machine.memory_kb);
    let bench = LiveBench { argos, limits, repetitions: arguments.repetitions() };
    let wants = |recipe: &live::Recipe| arguments.wants(recipe.name, recipe.large);
    let results = bench.results(wants, arguments.is_whole())?;
    let generated = live::generated(&results, &machine, &arguments.line());
    match arguments.is_whole() {
        true => put(&live::MARKS, &generated)?,
        false => println!("{generated}"),
    }
    Ok(results.agree())
}

/// Measures whole commands and writes; whether all verdicts agree.
fn measured_commands(arguments: &Arguments) -> Result<bool, String> {
    needs::provide(&needs::SPIN)?;
    let argos = arguments.binary(binary::DIST)?;
    let machine = Machine::this(&argos);
    let limits = Limits { seconds: SECONDS_COMMAND, ..arguments.limits(machine.memory_kb) };
    let bench = CommandBench { argos, limits, repetitions: arguments.repetitions() };
    let wants = |name: &str, is_large| arguments.wants(name, is_large);
    let results = bench.results(wants, arguments.is_whole())?;
    let generated = commands::generated(&results, &machine, &arguments.line());
    match arguments.is_whole() {
        true => put(&commands::MARKS, &generated)?,
        false => println!("{generated}"),
    }
    Ok(results.agree())
}

fn results(arguments: &Arguments, bench: &Bench) -> Result<Results, String> {
    let rows = |recipes: &[Recipe], bench: &Bench| -> Result<Vec<Row>, String> {
        let wanted = recipes.iter().filter(|recipe| arguments.wants(recipe.name, recipe.large));
        wanted
            .map(|recipe| {
                eprintln!("{} ...", recipe.name);
                bench.row(recipe)
            })
            .collect()
    };
    let alone = bench.with_modes(&[modes::ONE_THREAD]);
    Ok(Results {
        set: rows(&models::SET, bench)?,
        growth: rows(&models::GROWTH, &alone)?,
        argos: rows(&models::ARGOS, &alone)?,
        small: if arguments.models.is_none() { bench.small()? } else { Vec::new() },
        modes: bench.modes.clone(),
        whole: arguments.is_whole(),
    })
}

/// Into `docs` for a whole run, into a folder if asked, else to standard output.
fn write(arguments: &Arguments, generated: &str, picture: &str) -> Result<(), String> {
    if let Some(folder) = &arguments.out {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        save(&folder.join("performance.md"), generated)?;
        return save(&folder.join("performance.svg"), picture);
    }
    if !arguments.is_whole() {
        println!("{generated}");
        return Ok(());
    }
    put(&document::MARKS, generated)?;
    save(&testkit::root().join("docs/performance.svg"), picture)
}

/// Into the page, between the marks.
fn put(marks: &Marks, generated: &str) -> Result<(), String> {
    let path = testkit::root().join("docs/performance.md");
    let old = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    save(&path, &document::insert(&old, marks, generated)?)
}

fn save(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
