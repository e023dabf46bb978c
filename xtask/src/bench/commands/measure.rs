//! Both commands on one model, in turns.

use super::figures::{Ended, Measured, Results, Row};
use crate::bench::figures::Tally;
use crate::bench::models::SCALED;
use serde_json::Value;
use std::path::{Path, PathBuf};
use testkit::argos;
use testkit::limits::{self, Limits, Spent};
use testkit::spin::{self, Figures};

pub(in crate::bench) struct CommandBench {
    pub(in crate::bench) argos: PathBuf,
    pub(in crate::bench) limits: Limits,
    pub(in crate::bench) repetitions: usize,
}

/// Everything but cycles and claims, which are measured elsewhere; the rest is SPIN's default.
pub(super) const SPIN: [&str; 4] = ["spin", "-run", "-safety", "-noclaim"];
/// The same of argos.
pub(super) const ARGOS: [&str; 1] = ["--no-claims"];

/// What SPIN proposes where a search does not end with what it has by default.
const ROOM: [(&str, &str); 2] = [(spin::DEPTH, "-m10000000"), (spin::VECTOR, "-DVECTORSZ=4096")];

impl CommandBench {
    /// Measures the models of the package, and the larger ones, that are wanted.
    pub(in crate::bench) fn results(
        &self,
        wants: impl Fn(&str, bool) -> bool,
        whole: bool,
    ) -> Result<Results, String> {
        let (mut package, mut scaled) = (Vec::new(), Vec::new());
        for path in spin::package()? {
            let name = path.file_stem().unwrap_or_default().display().to_string();
            if wants(&name, false) {
                package.push(self.row(&name, &path)?);
            }
        }
        for recipe in SCALED.iter().filter(|recipe| wants(recipe.name, recipe.large)) {
            scaled.push(self.row(recipe.name, &recipe.prepare()?.path)?);
        }
        Ok(Results { package, scaled, whole })
    }

    fn row(&self, name: &str, model: &Path) -> Result<Row, String> {
        eprintln!("{name} ...");
        let folder = tempfile::tempdir().map_err(|error| format!("a folder: {error}"))?;
        let mut added = Vec::new();
        let mut tallies = [const { Tally::new() }; 2];
        for _ in 0..self.repetitions {
            let [spin, argos] = &mut tallies;
            spin.try_add(|| self.theirs((folder.path(), model), &mut added));
            argos.try_add(|| self.ours(model));
        }
        let [spin, argos] = tallies.map(Tally::end);
        Ok(Row { model: name.to_owned(), added: added.join(" "), spin, argos })
    }

    /// With what had to be `added` before, and more where that does not suffice.
    fn theirs(&self, (folder, model): (&Path, &Path), added: &mut Vec<&'static str>) -> Measured {
        let model = model.display().to_string();
        loop {
            let command = [&SPIN[..], added, &[model.as_str()]].concat();
            let ran = limits::run(folder, &command, self.limits);
            let ran = ran.map_err(|error| format!("not run: {error}"))?;
            let figures = spin::figures(&ran).map_err(|obstacle| obstacle.remark)?;
            let room = ROOM.iter().find(|(reason, _)| figures.cut == Some(*reason));
            match room.filter(|(_, more)| !added.contains(more)) {
                Some((_, more)) => added.push(more),
                None => return theirs(&figures, ran.spent),
            }
        }
    }

    fn ours(&self, model: &Path) -> Measured {
        let checked = argos::limited_check(&self.argos, model, &ARGOS, self.limits);
        let (report, ran) = checked.map_err(|failure| failure.remark())?;
        ours(&report, ran.spent)
    }
}

/// A search that was cut decides nothing unless it found an error.
pub(super) fn theirs(figures: &Figures, spent: Spent) -> Measured {
    let violated = figures.errors.is_some_and(|errors| errors > 0);
    match figures.cut.filter(|reason| !violated && *reason != spin::ROUNDED) {
        Some(reason) => Err(reason.to_owned()),
        None => Ok(Ended {
            violated,
            states: figures.counts[0],
            wall: spent.wall,
            cpu: spent.cpu,
            bytes: figures.memory_bytes.unwrap_or_default(),
        }),
    }
}

/// What is no error for a verifier of safety, and not looked for by either.
const CYCLES: [&str; 2] = ["acceptance-cycle", "progress-cycle"];

pub(super) fn ours(report: &Value, spent: Spent) -> Measured {
    if report["verdict"] == "error" {
        return Err(argos::complaints(report));
    }
    let errors = report["errors"].as_array().map_or(&[][..], Vec::as_slice);
    let is_safety = |error: &Value| !CYCLES.contains(&error["kind"].as_str().unwrap_or_default());
    let violated = errors.iter().any(is_safety);
    let mut reasons = argos::reasons(report);
    reasons.retain(|reason| *reason != "liveness");
    if !violated && !reasons.is_empty() {
        return Err(format!("INCOMPLETE ({})", reasons.join(", ")));
    }
    Ok(Ended {
        violated,
        states: argos::counts(report)[0],
        wall: spent.wall,
        cpu: spent.cpu,
        bytes: report["stats"]["peak_rss_bytes"].as_f64().unwrap_or_default(),
    })
}
