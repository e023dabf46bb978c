//! Results for machines: JUnit, SARIF, GitHub Actions. Every file is judged by the rules of its
//! format, written down here and in `outputs/`, and compared with what `--json` says of the same
//! model. Models try to break out of each format.

mod outputs {
    pub(crate) mod junit;
}

use outputs::junit::{self, Element};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use testkit::argos::{Run, command, run};

const VIOLATED: &str = "examples/abp.argos";
const HOLDS: &str = "examples/abp_fixed.argos";
const LIVE: &str = "examples/printer.pml";
const WRONG: &str = "corpus/bad/five_errors.argos";

/// Quotes, ends of sections and commands, orders to a terminal, marks that reverse a line.
const HOSTILE: &str = "\u{1b}[2J\u{202e}\u{2028}]]> <!-- --> \
                       &amp; ::error file=x::owned ##[error]owned %0A::add-mask::x |`*_[a](javascript:1)@you";

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outputs").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the scratch directory is ours");
    folder
}

/// What `check` writes about some models, in each format.
struct Written {
    run: Run,
    junit: Element,
    sarif: Value,
    summary: String,
}

fn written(name: &str, arguments: &[&str]) -> Written {
    let folder = scratch(name);
    let file = |name: &str| folder.join(name).display().to_string();
    let (junit, sarif, summary) = (file("r.xml"), file("r.sarif"), file("summary.md"));
    let outputs = ["check", "--junit", &junit, "--sarif", &sarif, "--github"];
    let mut command = command();
    command.args(outputs).args(arguments).env("GITHUB_STEP_SUMMARY", &summary);
    let run = Run::of(&mut command);
    let text = |file: &str| {
        fs::read_to_string(file)
            .unwrap_or_else(|error| panic!("{file}: {error}: {}", run.complaints))
    };
    let sarif: Value = serde_json::from_str(&text(&sarif)).expect("SARIF is JSON");
    valid_sarif(&sarif);
    let junit = junit::read(&text(&junit));
    let summary = text(&summary);
    Written { run, junit, sarif, summary }
}

/// Fails unless the standard allows it.
fn valid_sarif(log: &Value) {
    let schema = include_str!("outputs/sarif.schema.json");
    let schema: Value = serde_json::from_str(schema).expect("the schema is JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("the schema is a schema");
    let wrong: Vec<String> =
        validator.iter_errors(log).map(|it| format!("{}: {it}", it.instance_path())).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let run = &log["runs"][0];
    for result in list(&run["results"]) {
        let index = result["ruleIndex"].as_u64().expect("a number") as usize;
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn report(model: &str) -> Value {
    run(&["check", "--json", model]).json()
}

#[test]
fn each_requirement_is_a_case() {
    let written = written("cases", &[VIOLATED, HOLDS]);
    assert_eq!(written.run.code, 1);
    let suites = written.junit.children("testsuite");
    assert_eq!(suites.len(), 2);
    for (suite, model) in suites.iter().zip([VIOLATED, HOLDS]) {
        assert_eq!(suite.attribute("name"), model);
        let report = report(model);
        let cases = suite.children("testcase");
        assert_eq!(cases.len(), list(&report["properties"]).len());
        for (case, property) in cases.iter().zip(list(&report["properties"])) {
            assert_eq!(case.attribute("name"), property["name"]);
            let failures = case.children("failure");
            assert_eq!(!failures.is_empty(), property["verdict"] == "violated");
            for failure in failures {
                assert_eq!(failure.attribute("type"), "assertion");
                assert!(failure.attribute("message").contains("link!msg1 is sent"));
                assert!(failure.text.contains("[msg1]"), "the run is shown: {}", failure.text);
            }
        }
    }
    assert_eq!(written.junit.attribute("failures"), "1");
}

/// Nobody may take it for a success.
#[test]
fn what_was_not_decided_is_an_error_and_not_a_success() {
    let written = written("open", &["--depth", "3", HOLDS]);
    assert_eq!(written.run.code, 4);
    assert_eq!(written.junit.attribute("failures"), "0");
    assert_eq!(written.junit.attribute("errors"), written.junit.attribute("tests"));
    let invocation = &written.sarif["runs"][0]["invocations"][0];
    let open = invocation["toolExecutionNotifications"][0]["message"]["text"].as_str();
    assert!(open.is_some_and(|text| text.contains("depth bound reached")), "{invocation}");
    assert!(list(&written.sarif["runs"][0]["results"]).iter().all(|it| it["level"] == "note"));
    assert!(
        written.run.text.contains("\n::warning file=examples/abp_fixed.argos,title=INCOMPLETE::")
    );
    assert!(written.summary.contains(":grey_question: INCOMPLETE"), "{}", written.summary);
}

#[test]
fn a_run_is_a_code_flow() {
    for model in [VIOLATED, LIVE] {
        let written = written("flow", &[model]);
        let report = report(model);
        let error = &report["errors"][0];
        let results = list(&written.sarif["runs"][0]["results"]);
        let result = results.iter().find(|result| result["level"] == "error").expect("an error");
        assert_eq!(result["ruleId"], error["kind"]);
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], model);
        // A cycle has no line of its own: it is in the model as a whole.
        match error["location"]["line"].as_u64() {
            Some(0) => assert!(place.get("region").is_none(), "{place}"),
            _ => assert_eq!(place["region"]["startLine"], error["location"]["line"]),
        }
        let steps = list(&result["codeFlows"][0]["threadFlows"][0]["locations"]);
        let trace = list(&error["trace"]);
        let violating = trace.iter().position(|event| event["violates"] == true);
        assert_eq!(steps.len(), violating.map_or(trace.len(), |last| last + 1));
        for (number, (step, event)) in steps.iter().zip(trace).enumerate() {
            assert_eq!(step["executionOrder"], number + 1);
            let place = &step["location"]["physicalLocation"]["region"];
            assert_eq!(place["startLine"], event["line"]);
            let text = step["location"]["message"]["text"].as_str().expect("a text");
            let said = format!("{}: {}", word(&event["process"]), word(&event["action"]));
            assert!(text.starts_with(&said), "{text} {said}");
            let again = error["cycle_start"].as_u64() == Some(number as u64);
            assert_eq!(text.contains("repeats for ever"), again, "{text}");
        }
    }
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Viewers take no more than a thousand steps.
#[test]
fn the_middle_of_a_long_run_is_left_out() {
    let folder = scratch("long");
    let model = folder.join("long.pml");
    fs::write(&model, "int x;\nactive proctype P() { do :: x < 3000 -> x++ :: else -> break od; assert(false) }\n")
        .expect("the scratch directory is ours");
    let written = written("long-results", &[&model.display().to_string()]);
    let result = &written.sarif["runs"][0]["results"][0];
    let steps = list(&result["codeFlows"][0]["threadFlows"][0]["locations"]);
    assert_eq!(steps.len(), 1000);
    let last = steps.last().expect("a step")["executionOrder"].as_u64().expect("a number");
    assert!(last > 3000, "{last}");
    assert!(written.summary.contains("too many to be drawn"), "{}", written.summary);
}

#[test]
fn errors_of_a_text_are_results_and_annotations() {
    let written = written("wrong", &[WRONG]);
    assert_eq!(written.run.code, 3);
    let report = report(WRONG);
    let found = list(&report["diagnostics"]);
    let results = list(&written.sarif["runs"][0]["results"]);
    let errors = |list: &[Value], key: &str| {
        list.iter().map(|it| it[key].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(errors(results, "ruleId"), errors(found, "id"));
    for finding in found {
        let command = format!(
            "\n::error file={WRONG},line={},col={},title={}::",
            finding["line"],
            finding["column"],
            word(&finding["id"])
        );
        assert!(written.run.text.contains(&command), "{command}: {}", written.run.text);
    }
    assert_eq!(written.junit.attribute("errors"), "1");
}

#[test]
fn the_summary_has_a_table_and_a_chart() {
    let written = written("summary", &[VIOLATED, HOLDS]);
    let summary = &written.summary;
    let row = "| :x: VIOLATED | <code>examples/abp.argos</code> | assert 1 |";
    assert!(summary.contains(row), "{summary}");
    assert!(summary.contains("| :white_check_mark: HOLDS |"), "{summary}");
    let chart = summary.split("```mermaid\n").nth(1).expect("a chart");
    assert!(chart.starts_with("sequenceDiagram\n"), "{chart}");
    assert_eq!(summary.matches("```").count(), 2, "{summary}");
}

/// What `--fail-on` finds decides the exit code, so no result may look like a success.
#[test]
fn a_gate_that_fails_is_a_failure() {
    let written = written("gate", &["--fail-on", "unreached", "examples/gate.argos"]);
    assert_eq!(written.run.code, 6);
    assert_eq!(written.junit.attribute("failures"), "1");
    let suite = written.junit.children("testsuite")[0];
    let case = *suite.children("testcase").last().expect("a case");
    assert_eq!(case.attribute("name"), "--fail-on unreached");
    let failure = case.children("failure")[0];
    assert_eq!(failure.attribute("message"), "statements never executed: 4");
    let reasons: Vec<&str> = failure.text.lines().collect();
    assert_eq!(reasons.len(), 4, "{reasons:?}");
    let said = format!("statements never executed: 4%0A{}", reasons.join("%0A"));
    let line = format!("\n::error file=examples/gate.argos,title=--fail-on unreached::{said}\n");
    assert!(written.run.text.contains(&line), "{}", written.run.text);
    let results = list(&written.sarif["runs"][0]["results"]);
    let refused = results.iter().find(|result| result["ruleId"] == "fail-on-unreached");
    let refused = refused.expect("a result");
    assert_eq!(refused["level"], "error");
    let text = refused["message"]["text"].as_str().expect("a text");
    assert_eq!(text.lines().skip(1).collect::<Vec<_>>(), reasons);
}

#[test]
fn a_gate_that_is_passed_is_a_success() {
    let written = written("gate-passed", &["--fail-on", "cover", HOLDS]);
    assert_eq!((written.run.code, written.junit.attribute("failures")), (0, "0"));
    let suite = written.junit.children("testsuite")[0];
    let case = *suite.children("testcase").last().expect("a case");
    assert_eq!(case.attribute("name"), "--fail-on cover");
}

/// The exit code is 4, and no result may look like a success.
#[test]
fn a_gate_that_is_not_decided_is_none_that_is_passed() {
    const MODEL: &str = "corpus/promela/rules/premises.pml";
    let arguments = ["--fail-on", "vacuous", "--only", "used", MODEL];
    let written = written("gate-unknown", &arguments);
    assert_eq!(written.run.code, 4, "{}", written.run.text);
    assert_eq!(written.junit.attribute("errors"), "1");
    let suite = written.junit.children("testsuite")[0];
    let case = *suite.children("testcase").last().expect("a case");
    let said = case.children("error")[0].attribute("message");
    assert!(said.ends_with(" is not decided"), "{said}");
    let line = format!("\n::warning file={MODEL},title=--fail-on vacuous::{said}\n");
    assert!(written.run.text.contains(&line), "{}", written.run.text);
    let run = &written.sarif["runs"][0];
    let notes = list(&run["invocations"][0]["toolExecutionNotifications"]);
    let said = format!("{MODEL}: {said} (--fail-on vacuous)");
    assert!(notes.iter().any(|note| note["message"]["text"] == said.as_str()), "{notes:?}");
}

/// Models that try to break out, one per language, by a violation and by an error of the text.
fn hostile_models() -> Vec<PathBuf> {
    let folder = scratch("hostile ::,%0A<x>]]>&\"'");
    let promela = format!(
        "#line 1 \"m{HOSTILE}.pml\"\nbyte x;\nactive proctype P() {{\n\
         printf(\"::error::owned\\n  ::set-output name=x::y\\n{HOSTILE}\\n\"); x = 1; assert(x == 2) }}\n"
    );
    let argos = format!(
        "#line 1 \"m{HOSTILE}.argos\"\n#warning {HOSTILE}\nchannel q[1];\nproc p {{ q!a; q!b }}\n\
         proc r {{ q?a; q?c }}\n"
    );
    let wrong = format!("#error {HOSTILE}\n{promela}\n\"{HOSTILE}\" @\n");
    let texts = [("a::b,%.pml", promela), ("]]>&.argos", argos), ("wrong.pml", wrong)];
    let write = |(name, text): (&str, String)| {
        let path = folder.join(name);
        fs::write(&path, text).expect("the scratch directory is ours");
        path
    };
    texts.into_iter().map(write).collect()
}

#[test]
fn no_format_is_broken_by_what_a_model_says() {
    let mut models = Vec::new();
    for path in hostile_models() {
        models.push(path.display().to_string());
    }
    let mut sets: Vec<Vec<&str>> = models.iter().map(|model| vec![model.as_str()]).collect();
    sets.push(models.iter().map(String::as_str).collect());
    for (number, set) in sets.iter().enumerate() {
        // JUnit and SARIF are read back and judged here.
        let written = written(&format!("hostile-{number}"), set);
        assert!(!list(&written.sarif["runs"][0]["results"]).is_empty());
        assert_obeys_nothing(&written.run.text);
        for text in [&written.run.text, &written.summary] {
            let bad =
                |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202e}' | '\u{2028}');
            assert_eq!(text.chars().find(|c| bad(*c)), None, "{text:?}");
        }
        let table = written.summary.split("<details").next().unwrap_or_default();
        for row in table.lines().filter(|line| line.starts_with('|')) {
            assert_eq!(row.matches('|').count(), 6, "{row}");
        }
        // Every second part is the inside of a fence, where nothing is markup.
        for text in written.summary.split("```").step_by(2) {
            assert!(!text.contains("](javascript") && !text.contains("<!--"), "{text}");
        }
    }
}

/// Reads the log as the runner does: outside quotations only our own commands, inside nothing.
fn assert_obeys_nothing(log: &str) {
    let mut quotation: Option<String> = None;
    let mut quotations = 0;
    for line in log.lines() {
        let trimmed = line.trim_start();
        if let Some(end) = &quotation {
            if trimmed == format!("::{end}::") {
                quotation = None;
            }
            continue;
        }
        if let Some(token) = trimmed.strip_prefix("::stop-commands::") {
            quotation = Some(token.to_owned());
            quotations += 1;
            continue;
        }
        let ours = ["::error file=", "::warning file=", "::notice file="];
        assert!(ours.iter().any(|start| line.starts_with(start)), "{line}");
        let (properties, message) = line[2..].split_once("::").expect("a message");
        assert_eq!(properties.matches(':').count(), 0, "{line}");
        let names: Vec<&str> = properties
            .split_once(' ')
            .expect("properties")
            .1
            .split(',')
            .map(|property| property.split('=').next().unwrap_or_default())
            .collect();
        assert!(names.iter().all(|name| ["file", "line", "col", "title"].contains(name)), "{line}");
        assert!(!message.is_empty(), "{line}");
    }
    assert_eq!((quotation, quotations), (None, 1), "{log}");
}

/// With `--json` standard output is the JSON alone.
#[test]
fn annotations_stay_out_of_the_json() {
    let run = run(&["check", "--json", "--github", VIOLATED]);
    assert_eq!(run.json()["verdict"], "violated");
    assert!(
        run.complaints.contains("::error file=examples/abp.argos,line=29"),
        "{}",
        run.complaints
    );
}

#[test]
fn a_file_that_cannot_be_written_is_wrong_usage() {
    for option in ["--junit", "--sarif"] {
        let run = run(&["check", option, "/nowhere/at/all", HOLDS]);
        assert_eq!(run.code, 2);
        assert!(run.complaints.contains("cannot write /nowhere/at/all"), "{}", run.complaints);
    }
}

/// A formula or claim is violated by a run that ends nowhere in particular: the finding stands where
/// it is written.
#[test]
fn what_an_infinite_run_violates_is_shown_where_it_is_written() {
    for (model, begins) in [
        ("corpus/live/globally.pml", "ltl bad"),
        ("corpus/live/counters3.argos", "ltl both"),
        ("corpus/live/never_gf.pml", "never {"),
    ] {
        let text = fs::read_to_string(testkit::root().join(model)).expect("it is in the corpus");
        let line = text.lines().position(|line| line.starts_with(begins)).expect("a line") + 1;
        let written = written("formula", &[model]);
        let errors = list(&written.sarif["runs"][0]["results"]).iter();
        let place =
            |it: &Value| it["locations"][0]["physicalLocation"]["region"]["startLine"].clone();
        let mut places = errors.filter(|it| it["level"] == "error").map(place);
        assert!(places.any(|at| at == line), "{model}: {}", written.sarif);
        let command = format!("::error file={model},line={line},");
        assert!(written.run.text.contains(&command), "{command}: {}", written.run.text);
    }
}
