//! Both programs on the formulas of one model, in turns.

use super::figures::{Decided, Many, Measured, Results, Row};
use super::models::{Asked, MANY, PETERSON, Recipe, SET, Subject};
use crate::bench::figures::Tally;
use crate::bench::measure::sizes;
use serde_json::Value;
use std::path::{Path, PathBuf};
use testkit::argos;
use testkit::limits::Limits;
use testkit::spin::{self, Figures, Verifier};

pub(in crate::bench) struct LiveBench {
    pub(in crate::bench) argos: PathBuf,
    pub(in crate::bench) limits: Limits,
    pub(in crate::bench) repetitions: usize,
}

/// As a user generates it: statements are merged.
pub(super) const GENERATE: [&str; 2] = ["spin", "-a"];
pub(super) const COMPILE: [&str; 8] =
    ["gcc", "-O2", "-w", "-DNOREDUCE", "-DMEMLIM=65536", "-o", "pan", "pan.c"];

pub(super) const THREADS: [&str; 2] = ["--threads", "1"];
pub(super) const FAIR: [&str; 2] = ["--fair", "weak"];
/// A search of the same model that looks at neither formulas nor progress labels.
pub(super) const PLAIN: [&str; 5] =
    ["--no-claims", "--only", "no deadlock", "--search", "exhaustive"];

impl LiveBench {
    /// Measures the models that are wanted, and whatever else is required.
    pub(in crate::bench) fn results(
        &self,
        wants: impl Fn(&Recipe) -> bool,
        whole: bool,
    ) -> Result<Results, String> {
        let mut rows = Vec::new();
        for recipe in SET.iter().filter(|recipe| wants(recipe)) {
            eprintln!("{} ...", recipe.name);
            rows.extend(self.rows(recipe)?);
        }
        let many = if wants(&MANY) { Some(self.many()?) } else { None };
        let peterson = if wants(&PETERSON) { Some(self.peterson()?) } else { None };
        Ok(Results { rows, many, peterson, whole })
    }

    fn rows(&self, recipe: &Recipe) -> Result<Vec<Row>, String> {
        let subject = recipe.prepare()?;
        let verifier = Verifier::generate(&subject.path, &GENERATE, &COMPILE, self.limits);
        let verifier = verifier.map_err(|obstacle| obstacle.remark);
        let row = |asked: &Asked| self.row(recipe, &subject, asked, verifier.as_ref());
        Ok(recipe.asked.iter().map(row).collect())
    }

    fn row(
        &self,
        recipe: &Recipe,
        subject: &Subject,
        asked: &Asked,
        verifier: Result<&Verifier, &String>,
    ) -> Row {
        let theirs = verifier.map_err(Clone::clone);
        let theirs = theirs.and_then(|verifier| Theirs::ready(verifier, asked.formula));
        let name = format!("ltl {}", asked.formula);
        let only = [&["--only", name.as_str()], &THREADS[..]].concat();
        let fair = [&only[..], &FAIR].concat();
        let plain = [&PLAIN[..], &THREADS].concat();
        let mut tallies = [const { Tally::new() }; 4];
        for _ in 0..self.repetitions {
            let [pan, one, weak, none] = &mut tallies;
            pan.try_add(|| theirs.as_ref().map_err(Clone::clone).and_then(Theirs::run));
            one.try_add(|| self.ours(&subject.path, &only));
            weak.try_add(|| self.ours(&subject.path, &fair));
            none.try_add(|| self.ours(&subject.path, &plain));
        }
        let [pan, argos, fair, plain] = tallies.map(Tally::end);
        let (model, origin) = (recipe.name, recipe.origin());
        Row { model, formula: asked.formula, class: asked.class, origin, pan, argos, fair, plain }
    }

    fn ours(&self, model: &Path, options: &[&str]) -> Measured {
        let checked = argos::limited_check(&self.argos, model, options, self.limits);
        let (report, ran) = checked.map_err(|failure| failure.remark())?;
        decided(&report, ran.spent.cpu)
    }

    fn many(&self) -> Result<Many, String> {
        eprintln!("{} ...", MANY.name);
        let subject = MANY.prepare()?;
        let names: Vec<String> =
            MANY.asked.iter().map(|asked| format!("ltl {}", asked.formula)).collect();
        let all: Vec<&str> =
            names.iter().flat_map(|name| ["--only", name]).chain(THREADS).collect();
        let one = [&all[..2], &THREADS].concat();
        let mut tallies = [const { Tally::new() }; 2];
        for _ in 0..self.repetitions {
            tallies[0].try_add(|| self.ours(&subject.path, &one));
            tallies[1].try_add(|| self.ours(&subject.path, &all));
        }
        let [one, all] = tallies.map(Tally::end);
        Ok(Many { one, all })
    }

    fn peterson(&self) -> Result<Measured, String> {
        eprintln!("{} ...", PETERSON.name);
        Ok(self.ours(&PETERSON.prepare()?.path, &FAIR))
    }
}

/// The verdict of a report and what it took, unless something was left open.
pub(super) fn decided(report: &Value, cpu: f64) -> Measured {
    match report["verdict"].as_str() {
        Some("error") => return Err(argos::complaints(report)),
        Some("incomplete") => {
            return Err(format!("INCOMPLETE ({})", argos::reasons(report).join(", ")));
        }
        _ => {}
    }
    let peak_bytes = report["stats"]["peak_rss_bytes"].as_f64().unwrap_or_default();
    let violated = report["verdict"] == "violated";
    let runs = report["runs"].as_array().map_or(&[][..], Vec::as_slice);
    let states = runs.iter().filter_map(|run| run["states"].as_u64()).max();
    Ok(Decided { violated, states: states.unwrap_or_default(), cpu, peak_bytes })
}

/// SPIN's verifier for a formula, with tables of the right size.
struct Theirs<'a> {
    verifier: &'a Verifier,
    formula: &'a str,
    options: [String; 2],
}

impl<'a> Theirs<'a> {
    fn ready(verifier: &'a Verifier, formula: &'a str) -> Result<Self, String> {
        let options = ["-m20000000".to_owned(), "-w24".to_owned()];
        let first = Self { verifier, formula, options };
        let figures = first.figures()?.0;
        let options = sizes(figures.counts[0], figures.depth.unwrap_or(figures.counts[0]));
        Ok(Self { options, ..first })
    }

    fn figures(&self) -> Result<(Figures, f64), String> {
        let [depth, slots] = &self.options;
        let ran = self.verifier.run(&["./pan", "-a", "-n", depth, slots, "-N", self.formula]);
        let ran = ran.map_err(|obstacle| obstacle.remark)?;
        let figures = spin::figures(&ran).map_err(|obstacle| obstacle.remark)?;
        // At its first error it stops; exact figures are not needed.
        let is_cut = |cut: &&str| figures.errors == Some(0) && *cut != spin::ROUNDED;
        match figures.cut.filter(is_cut) {
            Some(reason) => Err(reason.to_owned()),
            None => Ok((figures, ran.spent.cpu)),
        }
    }

    fn run(&self) -> Measured {
        let (figures, cpu) = self.figures()?;
        let violated = figures.errors.is_some_and(|errors| errors > 0);
        Ok(Decided { violated, states: figures.counts[0], cpu, peak_bytes: 0.0 })
    }
}
