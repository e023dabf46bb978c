//! `--fail-on`: what a check that holds may still be refused for, and whether that is known.
//!
//! "Never" is only said after a search that looked everywhere, so a gate has three answers. One
//! that is not decided is no reason to pass: such a check is incomplete.

use crate::options::Gate;
use report::{Finding, GateResult, GateVerdict, PropertyVerdict, Report, Unreached, Unused};
use report::{UnusedKind, Verdict};

/// What the gates need to know beside the report.
#[derive(Clone, Copy, Default)]
pub(crate) struct Known {
    /// Some search looked everywhere, for statements.
    pub(crate) statements: bool,
    /// The same for messages and assertions.
    pub(crate) messages: bool,
    /// Of every formula that holds it is known whether its premises occur.
    pub(crate) premises: bool,
}

/// The answers of the gates asked for, in the order of [`Gate::ALL`].
pub(crate) fn judge(gates: &[Gate], report: &Report, known: Known) -> Vec<GateResult> {
    if report.verdict == Verdict::Error {
        return Vec::new();
    }
    let asked = Gate::ALL.iter().filter(|gate| gates.contains(gate));
    asked.map(|gate| result(*gate, report, known)).collect()
}

fn result(gate: Gate, report: &Report, known: Known) -> GateResult {
    let (what, reasons, is_known) = match gate {
        Gate::Unreached => {
            let reasons = report.unreached.iter().map(statement).collect();
            ("statements never executed", reasons, known.statements)
        }
        Gate::Vacuous => {
            let reasons: Vec<String> = report.unused.iter().map(unused).collect();
            ("requirements and messages without effect", reasons, known.messages && known.premises)
        }
        Gate::Warning => ("warnings", report.warnings.iter().map(warning).collect(), true),
        Gate::Cover => covers(report),
    };
    let verdict = match (reasons.is_empty(), is_known) {
        (false, _) => GateVerdict::Failed,
        (true, true) => GateVerdict::Passed,
        (true, false) => GateVerdict::Unknown,
    };
    GateResult { gate: gate.word().to_owned(), verdict, what: what.to_owned(), reasons }
}

/// `sender line 28: link!msg1`, and whether it was waited for.
fn statement(missed: &Unreached) -> String {
    let Unreached { process, line, statement, blocked, guard, .. } = missed;
    let how = match (blocked, guard) {
        (Some(true), Some(guard)) => format!(" (waited for, {})", guard.text),
        (Some(true), None) => " (waited for, never executable)".to_owned(),
        (Some(false), _) => " (behind others that were not executed)".to_owned(),
        (None, _) => String::new(),
    };
    format!("{process} line {line}: {statement}{how}")
}

fn unused(Unused { kind, text, location, .. }: &Unused) -> String {
    match (kind, location) {
        (UnusedKind::Ltl, _) | (_, None) => text.clone(),
        (_, Some(place)) => format!("line {}: {text}", place.line),
    }
}

fn warning(Finding { id, message, line, .. }: &Finding) -> String {
    format!("{id}, line {line}: {message}")
}

fn covers(report: &Report) -> (&'static str, Vec<String>, bool) {
    let asked = report.properties.iter().filter(|property| property.kind.is_asked_for());
    let (mut reasons, mut is_known) = (Vec::new(), true);
    for property in asked {
        match property.verdict {
            PropertyVerdict::Unreached => {
                let text = property.text.as_deref().map(|text| format!(": {text}"));
                reasons.push(format!("{}{}", property.name, text.unwrap_or_default()));
            }
            PropertyVerdict::Unknown => is_known = false,
            _ => {}
        }
    }
    let what = match report.verdict {
        Verdict::Impossible => "services never performed",
        _ => "covers never reached",
    };
    (what, reasons, is_known)
}
