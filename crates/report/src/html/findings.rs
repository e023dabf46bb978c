//! Warnings and errors of the text for the page: what is the same at several places is said once.

use crate::{Finding, Report, Unreached, words};
use indexmap::IndexMap;
use serde::Serialize;

/// What is said, and where.
#[derive(Clone, Debug, Serialize)]
pub(super) struct FindingView {
    id: String,
    severity: String,
    message: String,
    places: Vec<PlaceView>,
    /// Facts and advice, each once.
    remarks: Vec<String>,
}

/// A place in a text.
#[derive(Clone, Debug, Serialize)]
struct PlaceView {
    file: String,
    line: u32,
    text: String,
}

/// Findings that say the same as one, in the order they came.
pub(super) fn grouped(findings: &[Finding]) -> Vec<FindingView> {
    let mut groups: IndexMap<(&str, &str), Vec<&Finding>> = IndexMap::new();
    for finding in findings {
        groups.entry((&finding.id, &finding.message)).or_default().push(finding);
    }
    groups.into_values().map(|members| group(&members)).collect()
}

fn group(findings: &[&Finding]) -> FindingView {
    let mut places = Vec::new();
    let mut remarks: Vec<String> = Vec::new();
    for finding in findings {
        let text = finding.text.clone();
        places.push(PlaceView { file: finding.file.clone(), line: finding.line, text });
        places.extend(finding.others.iter().map(|other| PlaceView {
            file: other.file.clone(),
            line: other.line,
            text: if other.message.is_empty() { other.text.clone() } else { other.message.clone() },
        }));
        for remark in finding.notes.iter().chain(&finding.hint) {
            if !remarks.contains(remark) {
                remarks.push(remark.clone());
            }
        }
    }
    let first = findings[0];
    let (id, severity) = (first.id.clone(), first.severity.clone());
    FindingView { id, severity, message: first.message.clone(), places, remarks }
}

/// Statements never executed, by process: `3 statements, lines 8, 14-16`.
#[derive(Clone, Debug, Serialize)]
pub(super) struct UnreachedView {
    process: String,
    lines: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    line: u32,
    /// Of those that were waited for what was never true, line by line.
    guards: Vec<GuardView>,
}

/// Why a statement was never executed.
#[derive(Clone, Debug, Serialize)]
struct GuardView {
    line: u32,
    statement: String,
    text: String,
}

/// One row per process and file.
pub(super) fn unreached(list: &[Unreached]) -> Vec<UnreachedView> {
    let mut groups: IndexMap<(&str, Option<&str>), Vec<&Unreached>> = IndexMap::new();
    for statement in list {
        let key = (statement.process.as_str(), statement.file.as_deref());
        groups.entry(key).or_default().push(statement);
    }
    let view = |((process, file), all): ((&str, Option<&str>), Vec<&Unreached>)| UnreachedView {
        process: process.to_owned(),
        lines: format!(
            "{}, {}",
            words::count(all.len() as u64, "statement"),
            words::line_ranges(all.iter().map(|it| it.line))
        ),
        file: file.map(str::to_owned),
        line: all[0].line,
        guards: all.iter().filter_map(|it| guard(it)).collect(),
    };
    groups.into_iter().map(view).collect()
}

fn guard(missed: &Unreached) -> Option<GuardView> {
    let text = missed.guard.as_ref()?.text.clone();
    Some(GuardView { line: missed.line, statement: missed.statement.clone(), text })
}

/// What is to be said of statements never executed.
pub(super) fn coverage(report: &Report) -> &'static str {
    match (report.complete, report.unreached.is_empty()) {
        (true, true) => "Nothing: every statement of its processes was executed in some run.",
        (true, false) => "In no run is one of these executed.",
        (false, _) => "Not known: the search was not complete.",
    }
}
