//! The result of an experiment, in words and as JSON.

use crate::findings::seconds;
use crate::{Compared, Experiment, Findings, NotRun};
use serde::Serialize;
use std::fmt::Write;

/// An experiment that was asked for.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// `E7`.
    pub name: String,
    /// Year and place of the paper.
    pub paper: &'static str,
    /// What is measured.
    pub title: &'static str,
    /// Why it was not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_run: Option<String>,
    /// How long it took.
    pub seconds: f64,
    /// The paper's figures and ours.
    pub compared: Vec<Compared>,
    /// What a reader has to know.
    pub notes: Vec<String>,
    /// A text to be shown as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exhibit: Option<String>,
    /// The files that were written.
    pub files: Vec<String>,
}

impl Summary {
    /// The result of this experiment, which took so many seconds.
    pub fn new(experiment: &Experiment, result: Result<&Findings, &NotRun>, seconds: f64) -> Self {
        let (findings, not_run) = match result {
            Ok(findings) => (findings.clone(), None),
            Err(why) => (Findings::default(), Some(why.to_string())),
        };
        Self {
            name: experiment.name(),
            paper: experiment.paper,
            title: experiment.title,
            not_run,
            seconds,
            compared: findings.compared,
            notes: findings.notes,
            exhibit: findings.exhibit,
            files: Vec::new(),
        }
    }

    /// The lines of a terminal.
    pub fn text(&self) -> String {
        let mut out = format!("{:<4} {} ({})", self.name, self.title, self.paper);
        if let Some(why) = &self.not_run {
            let _ = writeln!(out, "\n  not run: {why}");
            return out;
        }
        let _ = writeln!(out, ", {}", seconds(self.seconds));
        for Compared { what, paper, ours, agrees, because } in &self.compared {
            let _ = write!(out, "  {what}: paper {paper} / ours {ours} / agrees: {agrees}");
            let _ = match because.as_str() {
                "" => writeln!(out),
                because => writeln!(out, ", {because}"),
            };
        }
        for note in &self.notes {
            let _ = writeln!(out, "  note: {note}");
        }
        for line in self.exhibit.iter().flat_map(|exhibit| exhibit.lines()) {
            let _ = writeln!(out, "    {line}");
        }
        if !self.files.is_empty() {
            let _ = writeln!(out, "  wrote {}", self.files.join(", "));
        }
        out
    }
}
