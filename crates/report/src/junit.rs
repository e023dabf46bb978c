//! Results as test cases, for whatever shows tests: JUnit's XML in the form that Jenkins, GitLab
//! and GitHub actions read. A model is a suite, a requirement is a case. What was not decided
//! never looks like a success: beside a violation it was skipped, otherwise it is an error.

use crate::look::Look;
use crate::style::{plain, safe};
use crate::{Chart, GateResult, GateVerdict, Property, PropertyVerdict, Report, Verdict};
use crate::{render, run, words};
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use std::time::Duration;

/// A model with what was required of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Suite {
    /// The model, with the options that tell it from others.
    pub name: String,
    /// What was found, one case per requirement.
    pub cases: Vec<Case>,
    /// What a terminal would have shown.
    pub text: String,
    /// How long it took, if that is known.
    pub seconds: Option<f64>,
}

/// One requirement, or one expectation.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// What was required.
    pub name: String,
    /// What became of it.
    pub status: Status,
    /// How long it took, if that is known of it alone.
    pub seconds: Option<f64>,
}

/// What became of a case.
#[derive(Clone, PartialEq, Debug)]
pub enum Status {
    /// As required.
    Passed,
    /// Not decided, and nobody has to worry about that.
    Skipped(String),
    /// Not as required.
    Failed(Problem),
    /// Nobody knows whether it is as required.
    Undecided(Problem),
}

/// Why a case is no success.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Problem {
    /// A word for grouping, as `deadlock`.
    pub kind: String,
    /// One sentence.
    pub message: String,
    /// The run, or whatever else helps.
    pub text: String,
}

impl Suite {
    /// What was found of a model; `name` is the model with the options that tell it from others.
    pub fn of_report(report: &Report, name: &str, look: &Look) -> Self {
        let text = render(report, look);
        let cases = match (report.verdict, report.properties.is_empty()) {
            (Verdict::Error, _) => vec![unread(report)],
            (Verdict::Incomplete | Verdict::Violated, true) => unfinished(report),
            _ => report.properties.iter().map(|property| case(report, property, look)).collect(),
        };
        let gates = report.gates.iter().map(|result| gate(report, result));
        let cases = cases.into_iter().chain(gates).collect();
        let seconds = Some(report.stats.seconds.total);
        Self { name: name.to_owned(), cases, text, seconds }
    }

    /// A model of which nothing is known.
    pub fn of_trouble(name: &str, problem: Problem) -> Self {
        let status = Status::Undecided(problem);
        let case = Case { name: "model".to_owned(), status, seconds: None };
        Self { name: name.to_owned(), cases: vec![case], text: String::new(), seconds: None }
    }
}

/// A model with errors has no requirements.
fn unread(report: &Report) -> Case {
    let lines = report.diagnostics.iter().map(|finding| {
        let place = format!("{}:{}:{}", finding.file, finding.line, finding.column);
        format!("{place}: {}: {}", finding.id, finding.message)
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    let kind = report.diagnostics.first().map_or_else(String::new, |first| first.id.clone());
    let problem = Problem { kind, message: report.headline.clone(), text };
    Case { name: "model".to_owned(), status: Status::Undecided(problem), seconds: None }
}

/// A check that was ended before it came to requirements, by kinds of errors if it knows some.
fn unfinished(report: &Report) -> Vec<Case> {
    let case = |name: &str, status| Case { name: name.to_owned(), status, seconds: None };
    if report.errors.is_empty() {
        return vec![case("model", undecided(report, String::new()))];
    }
    let errors = report.errors.iter().enumerate().map(|(index, error)| {
        let kind = words::kind_word(error.kind);
        let (message, text) = (words::sentence(report, index, error), String::new());
        case(kind, Status::Failed(Problem { kind: kind.to_owned(), message, text }))
    });
    errors.collect()
}

/// What `--fail-on` asks for is required as well.
fn gate(report: &Report, result: &GateResult) -> Case {
    let (message, text) = (result.refusal().unwrap_or_default(), result.reasons.join("\n"));
    let problem = Problem { kind: "gate".to_owned(), message, text };
    let status = match (result.verdict, report.verdict) {
        (GateVerdict::Passed, _) => Status::Passed,
        (GateVerdict::Failed, _) => Status::Failed(problem),
        (GateVerdict::Unknown, Verdict::Violated) => Status::Skipped(problem.message),
        (GateVerdict::Unknown, _) => Status::Undecided(problem),
    };
    Case { name: format!("--fail-on {}", result.gate), status, seconds: None }
}

/// Not decided: beside a violation nobody has to worry about that.
fn undecided(report: &Report, text: String) -> Status {
    let message = format!("not decided: {}", report.headline);
    match report.verdict {
        Verdict::Violated => Status::Skipped(message),
        _ => Status::Undecided(Problem { kind: "incomplete".to_owned(), message, text }),
    }
}

fn case(report: &Report, property: &Property, look: &Look) -> Case {
    let kind = words::kind_word(property.kind);
    let status = match property.verdict {
        PropertyVerdict::Holds | PropertyVerdict::Reached | PropertyVerdict::Unreached => {
            Status::Passed
        }
        PropertyVerdict::Violated => {
            let shown = property.error.and_then(|index| {
                let error = report.errors.get(index)?;
                // One that was not executed again has no run.
                let run = Chart::of_error(report, index).map(|chart| run(&chart, look));
                Some((words::sentence(report, index, error), run.unwrap_or_default()))
            });
            let (message, text) =
                shown.unwrap_or_else(|| (format!("{} is violated", property.name), String::new()));
            Status::Failed(Problem { kind: kind.to_owned(), message, text })
        }
        PropertyVerdict::Unknown => undecided(report, property.note.clone().unwrap_or_default()),
    };
    Case { name: property.name.clone(), status, seconds: None }
}

/// All suites as XML. `seconds` is what they took together.
pub fn junit(suites: &[Suite], seconds: f64) -> String {
    let mut out = quick_junit::Report::new("argos");
    out.set_time(duration(seconds));
    out.add_test_suites(suites.iter().map(suite));
    // What is written to memory is written.
    out.to_string().expect("there is room for the text")
}

fn suite(from: &Suite) -> TestSuite {
    let mut suite = TestSuite::new(safe(&from.name));
    suite.add_test_cases(from.cases.iter().map(|case| test_case(&from.name, case)));
    if let Some(seconds) = from.seconds {
        suite.set_time(duration(seconds));
    }
    if !from.text.is_empty() {
        suite.set_system_out(plain(&from.text));
    }
    suite
}

fn test_case(class: &str, from: &Case) -> TestCase {
    let status = match &from.status {
        Status::Passed => TestCaseStatus::success(),
        Status::Skipped(message) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(safe(message));
            status
        }
        Status::Failed(problem) => not_passed(NonSuccessKind::Failure, problem),
        Status::Undecided(problem) => not_passed(NonSuccessKind::Error, problem),
    };
    let mut case = TestCase::new(safe(&from.name), status);
    case.set_classname(safe(class));
    if let Some(seconds) = from.seconds {
        case.set_time(duration(seconds));
    }
    case
}

fn not_passed(kind: NonSuccessKind, problem: &Problem) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(safe(&problem.kind)).set_message(safe(&problem.message));
    if !problem.text.is_empty() {
        status.set_description(plain(&problem.text));
    }
    status
}

/// To the millisecond; no clock runs backwards, and none for ever.
fn duration(seconds: f64) -> Duration {
    Duration::from_millis((seconds.max(0.0) * 1000.0) as u64)
}
