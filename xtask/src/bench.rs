//! `cargo xtask bench`: how fast `argos check` is, beside SPIN's verifier.
//!
//! In: the `spin` and `gcc` of this machine, models of the SPIN package and of this
//! repository, and `argos`, built first. Out: the generated part of
//! `docs/performance.md` and `docs/performance.svg`. Fails if figures differ that
//! must be the same. With `--instructions` it counts instructions instead.

mod chart;
mod document;
mod figures;
mod instructions;
mod machine;
mod measure;
mod models;
mod modes;
#[cfg(test)]
mod tests;

use crate::limits::{Clock, Limits};
use crate::{needs, ours};
use figures::{Results, Row};
use machine::Machine;
use measure::Bench;
use models::Recipe;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// How the command is called.
pub const USAGE: &str = "\
cargo xtask bench [OPTIONS]          measure beside SPIN, write docs/performance.md and .svg
    --quick            one run of each, without the large models; prints, writes nothing
    --runs N           so many runs of each instead of three; the best one counts
    --models A,B       only these models; prints, writes nothing
    --out DIR          write performance.md and performance.svg there and not into docs
    --argos FILE       this binary, instead of building one
    --instructions     count instructions and compare with xtask/instructions.txt
    --accept           with --instructions: write the new counts there";

const REPETITIONS: usize = 3;
/// Of one run; the slowest of the set takes pan about a minute.
const SECONDS: u64 = 900;
const SECONDS_QUICK: u64 = 60;

#[derive(Default)]
struct Wishes {
    quick: bool,
    runs: Option<usize>,
    models: Option<Vec<String>>,
    out: Option<PathBuf>,
    argos: Option<PathBuf>,
    instructions: bool,
    accept: bool,
}

/// Measures as `arguments` say.
pub fn run(arguments: &[&str]) -> ExitCode {
    let done = wishes(arguments).and_then(|wishes| match wishes.instructions {
        true => instructions::run(&wishes.binary()?, wishes.accept),
        false => measured(&wishes),
    });
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(complaint) => {
            eprintln!("bench: {complaint}");
            ExitCode::from(2)
        }
    }
}

fn wishes(arguments: &[&str]) -> Result<Wishes, String> {
    let mut wishes = Wishes::default();
    let mut rest = arguments.iter();
    while let Some(option) = rest.next() {
        let mut value = || rest.next().copied().ok_or_else(|| USAGE.to_owned());
        match *option {
            "--quick" => wishes.quick = true,
            "--instructions" => wishes.instructions = true,
            "--accept" => wishes.accept = true,
            "--runs" => wishes.runs = Some(value()?.parse().map_err(|_| USAGE.to_owned())?),
            "--models" => {
                wishes.models = Some(value()?.split(',').map(str::to_owned).collect());
            }
            "--out" => wishes.out = Some(value()?.into()),
            "--argos" => wishes.argos = Some(value()?.into()),
            _ => return Err(USAGE.to_owned()),
        }
    }
    if wishes.accept && !wishes.instructions {
        return Err(USAGE.to_owned());
    }
    wishes.known()?;
    Ok(wishes)
}

impl Wishes {
    fn binary(&self) -> Result<PathBuf, String> {
        self.argos.clone().map_or_else(ours::built, Ok)
    }

    /// Whether every model asked for exists.
    fn known(&self) -> Result<(), String> {
        let names = || models::SET.iter().chain(&models::GROWTH).chain(&models::ARGOS);
        let unknown = |wanted: &&String| !names().any(|recipe| recipe.name == **wanted);
        let Some(unknown) = self.models.iter().flatten().find(unknown) else { return Ok(()) };
        let all: Vec<&str> = names().map(|recipe| recipe.name).collect();
        Err(format!("no model {unknown}; there are {}", all.join(", ")))
    }

    fn wants(&self, recipe: &Recipe) -> bool {
        match &self.models {
            Some(names) => names.iter().any(|name| name == recipe.name),
            None => !(self.quick && recipe.large),
        }
    }

    /// Only the whole set may go into the documentation.
    fn is_whole(&self) -> bool {
        !self.quick && self.models.is_none()
    }

    /// The command, for the document.
    fn line(&self) -> String {
        let models = self.models.as_ref().map(|names| format!(" --models {}", names.join(",")));
        let quick = if self.quick { " --quick" } else { "" };
        let runs = self.runs.map(|runs| format!(" --runs {runs}")).unwrap_or_default();
        format!("cargo xtask bench{quick}{runs}{}", models.unwrap_or_default())
    }
}

/// Measures and writes; whether all figures that must agree do.
fn measured(wishes: &Wishes) -> Result<bool, String> {
    needs::provide(&needs::SPIN)?;
    let argos = wishes.binary()?;
    let machine = Machine::this(&argos);
    let seconds = if wishes.quick { SECONDS_QUICK } else { SECONDS };
    let bench = Bench {
        modes: modes::of(&argos)?,
        argos,
        limits: Limits { seconds, clock: Clock::Wall, memory_kb: machine.memory_kb },
        repetitions: wishes.runs.unwrap_or(if wishes.quick { 1 } else { REPETITIONS }).max(1),
    };
    let results = results(wishes, &bench)?;
    let generated = document::generated(&results, &machine, &wishes.line());
    write(wishes, &generated, &chart::svg(&results))?;
    let mut rows = results.set.iter().chain(&results.growth);
    Ok(!rows.any(|row| row.differs))
}

fn results(wishes: &Wishes, bench: &Bench) -> Result<Results, String> {
    let rows = |recipes: &[Recipe], bench: &Bench| -> Result<Vec<Row>, String> {
        let wanted = recipes.iter().filter(|recipe| wishes.wants(recipe));
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
        small: if wishes.models.is_none() { bench.small()? } else { Vec::new() },
        modes: bench.modes.clone(),
        whole: wishes.is_whole(),
    })
}

/// Into `docs` for a whole run, into a folder if asked, else to standard output.
fn write(wishes: &Wishes, generated: &str, picture: &str) -> Result<(), String> {
    let save = |path: &Path, text: &str| {
        fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    if let Some(folder) = &wishes.out {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        save(&folder.join("performance.md"), generated)?;
        return save(&folder.join("performance.svg"), picture);
    }
    if !wishes.is_whole() {
        println!("{generated}");
        return Ok(());
    }
    let path = crate::root().join("docs/performance.md");
    let old = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    save(&path, &document::insert(&old, generated)?)?;
    save(&crate::root().join("docs/performance.svg"), picture)
}
