//! `argos experiments`: run, write the files, print, exit code.

mod package;

use crate::USAGE;
use crate::args::ProgressForm;
use crate::host::Machine;
use crate::output::{complain, json, print, refuse, save};
use ::experiments::{EXPERIMENTS, Experiment, Findings, Lab, NotRun, Scale, Summary, named};
use clap::Args;
use package::package;
use report::Theme;
use std::path::Path;

#[derive(Args)]
pub(crate) struct ExperimentsArguments {
    /// Which experiments, such as E1 E18; all for all of them
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// List the experiments: number, paper, what is measured
    #[arg(long)]
    list: bool,
    /// Measure less: all of them in less than a minute
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Measure everything (unless --quick); all of them take some minutes
    #[arg(long)]
    full: bool,
    /// Write a table (CSV) and its figures (SVG) for each into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<String>,
    /// The folder with the examples of the SPIN package, if it is not found by itself
    #[arg(long, value_name = "DIR")]
    spin_models: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Something that was asked for was not measured.
const INCOMPLETE: u8 = 4;

pub(crate) fn run(arguments: &ExperimentsArguments) -> u8 {
    let scaled = arguments.quick || arguments.full;
    if arguments.list || (arguments.names.is_empty() && !scaled) {
        print(&list());
        return 0;
    }
    chosen(&arguments.names)
        .and_then(|chosen| measured(arguments, &chosen))
        .unwrap_or_else(|code| code)
}

fn list() -> String {
    let line = |e: &Experiment| format!("{:<4} {:<22} {}\n", e.name(), e.paper, e.title);
    EXPERIMENTS.iter().map(line).collect()
}

/// The experiments of these names; all, if there are none or one says so.
fn chosen(names: &[String]) -> Result<Vec<&'static Experiment>, u8> {
    let all = names.is_empty() || names.iter().any(|name| name.eq_ignore_ascii_case("all"));
    let unknown =
        names.iter().find(|name| !name.eq_ignore_ascii_case("all") && named(name).is_none());
    if let Some(name) = unknown {
        complain(&format!(
            "there is no experiment `{name}`; there are E1 to E25 and all (argos experiments --list)"
        ));
        return Err(USAGE);
    }
    let wanted = |e: &&Experiment| {
        all || names.iter().any(|name| named(name).is_some_and(|n| n.number == e.number))
    };
    Ok(EXPERIMENTS.iter().filter(wanted).collect())
}

fn measured(arguments: &ExperimentsArguments, chosen: &[&Experiment]) -> Result<u8, u8> {
    let folder = arguments.out.as_deref();
    if let Some(folder) = folder {
        std::fs::create_dir_all(folder)
            .map_err(|error| refuse(&format!("cannot make the folder {folder}: {error}")))?;
    }
    let mut machine = Machine::new(ProgressForm::Never, None);
    let scale = if arguments.quick { Scale::Quick } else { Scale::Full };
    let package = |model: &str| package(model, arguments.spin_models.as_deref());
    let mut lab = Lab::new(&mut machine, scale, &package);
    let mut all = Vec::new();
    for experiment in chosen {
        let start = lab.seconds();
        let result = experiment.run(&mut lab);
        let mut summary = Summary::new(experiment, result.as_ref(), lab.seconds() - start);
        if let (Ok(findings), Some(folder)) = (&result, folder) {
            summary.files = written(experiment, findings, folder)?;
        }
        if !arguments.json {
            print(&summary.text());
        }
        all.push(summary);
        if result == Err(NotRun::Interrupted) {
            break;
        }
    }
    if arguments.json {
        print(&json(&serde_json::json!({
            "schema": report::SCHEMA,
            "tool": "argos",
            "version": env!("CARGO_PKG_VERSION"),
            "scale": if arguments.quick { "quick" } else { "full" },
            "experiments": all,
        })));
    }
    let missing = all.iter().any(|summary| summary.not_run.is_some());
    Ok(if missing { INCOMPLETE } else { 0 })
}

/// Writes what was found; returns the names of the files.
fn written(experiment: &Experiment, findings: &Findings, folder: &str) -> Result<Vec<String>, u8> {
    let stem = experiment.stem();
    let mut texts = vec![(format!("{stem}.csv"), findings.table.csv())];
    for (number, plot) in findings.plots.iter().enumerate() {
        let panel = if number == 0 { String::new() } else { format!("-{}", number + 1) };
        texts.push((format!("{stem}{panel}.svg"), report::plot(plot, Theme::Auto)));
    }
    for (name, text) in &texts {
        save(text, &Path::new(folder).join(name).display().to_string())?;
    }
    Ok(texts.into_iter().map(|(name, _)| name).collect())
}
