//! Findings in SARIF 2.1.0 (OASIS 2020), for code scanning: one result per error with its run as
//! a code flow, so that a reader steps through it in the source; warnings, errors of the text
//! and statements never executed without one. What a search left open is a notification of the
//! invocation, because a result would be something found.
//!
//! The structures are those parts of the standard that are written here, and no more: the crate
//! `serde-sarif` generates all of them when it is built, which takes longer than the rest of
//! this crate.

use crate::place::Root;
use crate::style::{plain, safe};
use crate::{Chart, ErrorEntry, Finding, GateResult, GateVerdict, Kind, PropertyVerdict, Report};
use crate::{Verdict, words};
use indexmap::IndexMap;
use serde::Serialize;
use trace::Event;

/// Viewers list the first thousand steps of a run; of a longer one the middle is left out.
const STEPS_MAX: usize = 1_000;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// The root of all names of files; a viewer knows which folder that is.
const BASE: &str = "%SRCROOT%";
const UNREACHED: &str = "unreached";

#[derive(Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    invocations: [Invocation; 1],
    column_kind: &'static str,
    results: Vec<Discovery>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
struct Driver {
    name: &'static str,
    version: String,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: String,
    short_description: Text,
    help: Text,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    level: &'static str,
    message: Text,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location>,
}

/// A `result` of the standard.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Discovery {
    rule_id: String,
    rule_index: usize,
    level: &'static str,
    message: Text,
    locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    code_flows: Vec<CodeFlow>,
    partial_fingerprints: IndexMap<&'static str, String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CodeFlow {
    thread_flows: [ThreadFlow; 1],
}

#[derive(Serialize)]
struct ThreadFlow {
    locations: Vec<FlowLocation>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FlowLocation {
    execution_order: usize,
    importance: &'static str,
    location: Location,
}

#[derive(PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: Physical,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text>,
}

#[derive(PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Artifact {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

#[derive(PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_column: Option<u32>,
}

#[derive(PartialEq, Serialize)]
struct Text {
    text: String,
}

/// All that was found in these models, as one run of the tool. `sound` says whether none of
/// them showed a fault of the tool.
pub fn sarif(reports: &[&Report], root: &Root<'_>, sound: bool) -> String {
    let mut sarif = Sarif { root, rules: IndexMap::new(), results: Vec::new() };
    reports.iter().for_each(|report| sarif.add(report));
    let version = reports.first().map_or_else(String::new, |report| report.version.clone());
    let rules = std::mem::take(&mut sarif.rules).into_values().collect();
    let open = reports.iter().flat_map(|report| sarif.open(report)).collect();
    let run = Run {
        tool: Tool { driver: Driver { name: "argos", version, rules } },
        invocations: [Invocation {
            execution_successful: sound,
            tool_execution_notifications: open,
        }],
        column_kind: "unicodeCodePoints",
        results: sarif.results,
    };
    crate::json_of(&Log { schema: SCHEMA, version: "2.1.0", runs: [run] }) + "\n"
}

struct Sarif<'a> {
    root: &'a Root<'a>,
    rules: IndexMap<String, Rule>,
    results: Vec<Discovery>,
}

/// What is said of a place.
struct Said<'a> {
    level: &'static str,
    message: String,
    file: &'a str,
    line: u32,
    column: u32,
    /// What makes it the same finding in the next version of the model.
    group: String,
}

impl Sarif<'_> {
    fn add(&mut self, report: &Report) {
        report.diagnostics.iter().for_each(|finding| self.finding(report, finding));
        for (index, error) in report.errors.iter().enumerate() {
            self.error(report, index, error);
        }
        self.without_a_run(report);
        report.warnings.iter().for_each(|finding| self.finding(report, finding));
        report.gates.iter().for_each(|gate| self.gate(report, gate));
        for statement in &report.unreached {
            let group = format!("{}: never executed: {}", statement.process, statement.statement);
            let guard = statement.guard.as_ref().map(|guard| format!("\n{}", guard.text));
            let said = Said {
                level: "note",
                message: format!("{group}{}", guard.unwrap_or_default()),
                group,
                file: &report.model,
                line: statement.line,
                column: statement.column,
            };
            self.push(UNREACHED.to_owned(), "statement never executed", &said);
        }
    }

    fn error(&mut self, report: &Report, index: usize, error: &ErrorEntry) {
        let mut message = words::sentence(report, index, error);
        for line in &error.why {
            message.push_str(&format!("\n{}: {}", line.head, line.text));
        }
        let said = Said {
            level: "error",
            message,
            file: report.file_of(&error.location.file),
            line: error.location.line,
            column: error.location.column,
            group: error.group.clone(),
        };
        let flow = self.flow(report, index, error);
        let result = self.push(kind_id(error.kind), words::kind_word(error.kind), &said);
        result.code_flows.extend(flow);
    }

    /// Requirements that fail and whose run is another one's.
    fn without_a_run(&mut self, report: &Report) {
        for property in &report.properties {
            let is_shown = property.error.is_some_and(|index| index < report.errors.len());
            if property.verdict != PropertyVerdict::Violated || is_shown {
                continue;
            }
            let said = Said {
                level: "error",
                message: format!("{} is violated", property.name),
                file: &report.model,
                line: property.line.unwrap_or(0),
                column: 0,
                group: property.name.clone(),
            };
            self.push(kind_id(property.kind), words::kind_word(property.kind), &said);
        }
    }

    /// What `--fail-on` refuses. What it does not know is no result.
    fn gate(&mut self, report: &Report, gate: &GateResult) {
        let (GateVerdict::Failed, Some(refusal)) = (gate.verdict, gate.refusal()) else { return };
        let reasons = gate.reasons.iter().map(|reason| format!("\n{reason}"));
        let said = Said {
            level: "error",
            message: refusal + &reasons.collect::<String>(),
            file: &report.model,
            line: 0,
            column: 0,
            group: gate.gate.clone(),
        };
        self.push(format!("fail-on-{}", gate.gate), &format!("{} (--fail-on)", gate.what), &said);
    }

    fn finding(&mut self, report: &Report, finding: &Finding) {
        let hint = finding.hint.iter().map(|hint| format!("\nhelp: {hint}"));
        let said = Said {
            level: match finding.severity.as_str() {
                "error" => "error",
                "warning" => "warning",
                _ => "note",
            },
            message: finding.message.clone() + &hint.collect::<String>(),
            file: report.file_of(&finding.file),
            line: finding.line,
            column: finding.column,
            group: finding.text.clone(),
        };
        let mut others: Vec<Location> = Vec::new();
        for other in &finding.others {
            let message = (!other.message.is_empty()).then(|| text(&other.message));
            let location = self.location(report.file_of(&other.file), other.line, other.column);
            let location = Location { message, ..location };
            // The standard wants each once.
            if !others.contains(&location) {
                others.push(location);
            }
        }
        let about = format!("{}: see argos help {0}", finding.id);
        self.push(finding.id.clone(), &about, &said).related_locations = others;
    }

    fn push(&mut self, rule: String, about: &str, said: &Said<'_>) -> &mut Discovery {
        let entry = self.rules.entry(rule.clone());
        let rule_index = entry.index();
        entry.or_insert_with(|| Rule {
            id: rule.clone(),
            short_description: text(about),
            help: text(about),
        });
        self.results.push(Discovery {
            rule_id: rule,
            rule_index,
            level: said.level,
            message: text(&said.message),
            locations: vec![self.location(said.file, said.line, said.column)],
            related_locations: Vec::new(),
            code_flows: Vec::new(),
            partial_fingerprints: IndexMap::from([("argosGroup/v1", safe(&said.group))]),
        });
        self.results.last_mut().expect("it was just added")
    }

    /// The run of an error.
    fn flow(&self, report: &Report, index: usize, error: &ErrorEntry) -> Option<CodeFlow> {
        let chart = Chart::of_error(report, index)?;
        let steps = chart.steps(false);
        let (first, rest) = match steps.len() > STEPS_MAX {
            true => (STEPS_MAX / 2, steps.len() - STEPS_MAX / 2),
            false => (steps.len(), steps.len()),
        };
        let shown = (0..first).chain(rest..steps.len());
        let cycle = error.cycle_start;
        let locations = shown.map(|number| self.step(report, number, &steps[number], cycle));
        let locations: Vec<_> = locations.collect();
        // The standard wants at least one step.
        let flow = CodeFlow { thread_flows: [ThreadFlow { locations }] };
        (!flow.thread_flows[0].locations.is_empty()).then_some(flow)
    }

    fn step(
        &self,
        report: &Report,
        number: usize,
        event: &Event,
        cycle: Option<usize>,
    ) -> FlowLocation {
        let mut message = format!("{}: {}", event.process, event.action);
        if cycle == Some(number) {
            message.push_str(" (from here on it repeats for ever)");
        }
        let file = event.file.as_deref().unwrap_or(&report.model);
        let location = self.location(file, event.line, event.column);
        FlowLocation {
            execution_order: number + 1,
            importance: if event.violates { "essential" } else { "important" },
            location: Location { message: Some(text(&message)), ..location },
        }
    }

    /// What was left open in a model.
    fn open(&self, report: &Report) -> Vec<Notification> {
        let model = &report.model;
        let search = (report.verdict == Verdict::Incomplete)
            .then(|| format!("INCOMPLETE {model}: {}", report.headline));
        let unknown = report.gates.iter().filter(|gate| gate.verdict == GateVerdict::Unknown);
        let gates = unknown.filter_map(|gate| {
            Some(format!("{model}: {} (--fail-on {})", gate.refusal()?, gate.gate))
        });
        let notification = |message: String| Notification {
            level: "warning",
            message: text(&message),
            locations: vec![self.location(model, 0, 0)],
        };
        search.into_iter().chain(gates).map(notification).collect()
    }

    fn location(&self, file: &str, line: u32, column: u32) -> Location {
        let inside = self.root.inside(file);
        let uri = match &inside {
            Some(name) => encoded(name),
            None => format!("file://{}", encoded(&self.root.here.join(file).to_string_lossy())),
        };
        let uri_base_id = inside.map(|_| BASE);
        // What has no place of its own has line 0.
        let region = (line > 0)
            .then(|| Region { start_line: line, start_column: (column > 0).then_some(column) });
        let artifact_location = Artifact { uri, uri_base_id };
        Location { physical_location: Physical { artifact_location, region }, message: None }
    }
}

fn text(from: &str) -> Text {
    Text { text: plain(from) }
}

/// The word for a kind in the JSON of a report.
fn kind_id(kind: Kind) -> String {
    let word = serde_json::to_value(kind).ok();
    word.as_ref().and_then(|word| word.as_str()).unwrap_or("error").to_owned()
}

/// A path in a URI (RFC 3986): what is not unreserved is written as its bytes.
fn encoded(path: &str) -> String {
    let mut out = String::new();
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
