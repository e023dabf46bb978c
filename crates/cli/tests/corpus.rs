//! Every model of the corpus says in its header what must come out:
//!
//! ```text
//! // run: ARGS | machines 7/5 9/9 assert 3 | states 86 | transitions 145 | errors none | exit 0
//! ```
//!
//! `machines` are states before and after minimisation, one pair per process,
//! then the minimised sizes of assertions; `errors` are the counts by kind,
//! sorted; `warnings` are their ids; `events` is the least number of events of an error; `unused` and
//! `gates` are what has no effect and what `--fail-on` says; `avoid` is the point of no return of the first error,
//! the step that avoids it and what comes of that. Parts that are not there are not compared. Adding a test is adding a file.

use serde_json::Value;
use std::fs;
use testkit::argos::{Run, run};
use testkit::root;

/// Texts with errors are judged by the tests of the front ends, PROMELA with the
/// figures of SPIN alone by `promela.rs` and `random.rs`, infinite runs by `live.rs`, runs of a
/// million steps by `late.rs`, who can be exchanged by `reduce.rs`.
const ELSEWHERE: [&str; 8] =
    ["bad", "bad-promela", "differences", "live", "long", "mini", "semantics", "symmetry"];

/// The models below a directory of the repository, in order.
fn models(directory: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(directory)).expect("the directory is there");
    let mut models = Vec::new();
    for entry in entries.map(|entry| entry.expect("the entry can be read")) {
        let name = format!("{directory}/{}", entry.file_name().to_string_lossy());
        let elsewhere = ELSEWHERE.iter().any(|name| entry.file_name() == *name);
        if entry.path().is_dir() && !elsewhere {
            models.extend(self::models(&name));
        } else if name.ends_with(".argos") || name.ends_with(".pml") {
            models.push(name);
        }
    }
    models.sort();
    models
}

fn runs(model: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(model)).expect("the model can be read");
    text.lines().filter_map(|line| line.strip_prefix("// run: ")).map(str::to_owned).collect()
}

#[test]
fn every_model_gives_what_its_header_says() {
    let validator = validator();
    let mut wrong = Vec::new();
    for model in models("corpus") {
        for run in runs(&model) {
            let found = compare(&model, &run, &validator);
            wrong.extend(found.into_iter().map(|text| format!("{model}: {run}\n    {text}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_model_has_a_header() {
    let bare: Vec<String> = models("corpus").into_iter().filter(|it| runs(it).is_empty()).collect();
    assert!(bare.is_empty(), "no `// run:` line in {bare:?}");
}

/// Every difference between a run and its header, in words.
fn compare(model: &str, header: &str, validator: &jsonschema::Validator) -> Vec<String> {
    let mut parts = header.split(" | ").map(str::trim);
    let arguments = parts.next().unwrap_or_default().split_whitespace();
    let arguments: Vec<&str> = ["check", "--json", model].into_iter().chain(arguments).collect();
    let Run { code, text, complaints } = run(&arguments);
    let Ok(report) = serde_json::from_str::<Value>(&text) else {
        return vec![format!("no JSON: {text}{complaints}")];
    };
    let mut wrong: Vec<String> =
        validator.iter_errors(&report).map(|it| format!("{}: {it}", it.instance_path())).collect();
    for part in parts {
        let (what, expected) = part.split_once(' ').unwrap_or((part, ""));
        let found = match what {
            "machines" => machines(&report),
            "states" | "transitions" | "matched" => report["stats"][what].to_string(),
            "errors" => errors(&report),
            "events" => events(&report),
            "warnings" => warnings(&report),
            "unused" => pairs(&report["unused"], ["kind", "name"], ":"),
            "gates" => pairs(&report["gates"], ["gate", "verdict"], " "),
            "avoid" => avoid(&report["errors"][0]),
            "exit" => code.to_string(),
            _ => format!("this file does not know `{what}`"),
        };
        if found != expected {
            wrong.push(format!("{what} {found}, expected {expected}"));
        }
    }
    wrong
}

fn machines(report: &Value) -> String {
    let all = list(&report["machines"]);
    let is_assertion = |machine: &&Value| machine["assertion"] == true;
    let processes = all.iter().filter(|machine| !is_assertion(machine));
    let mut words: Vec<String> = processes
        .map(|machine| format!("{}/{}", machine["states_raw"], machine["states"]))
        .collect();
    let assertions: Vec<String> =
        all.iter().filter(is_assertion).map(|machine| machine["states"].to_string()).collect();
    if !assertions.is_empty() {
        words.push("assert".to_owned());
        words.extend(assertions);
    }
    words.join(" ")
}

fn errors(report: &Value) -> String {
    let counts = report["stats"]["errors"].as_object().cloned().unwrap_or_default();
    let mut words: Vec<String> =
        counts.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    words.sort();
    if words.is_empty() { "none".to_owned() } else { words.join(", ") }
}

fn events(report: &Value) -> String {
    let errors = list(&report["errors"]);
    let least = errors.iter().filter_map(|error| error["events"].as_u64()).min();
    least.map_or("none".to_owned(), |least| least.to_string())
}

/// The ids of the warnings.
fn warnings(report: &Value) -> String {
    let ids = list(&report["warnings"]).iter().filter_map(|warning| warning["id"].as_str());
    let ids: Vec<&str> = ids.collect();
    if ids.is_empty() { "none".to_owned() } else { ids.join(" ") }
}

/// Two fields of each entry of a list.
fn pairs(list: &Value, fields: [&str; 2], between: &str) -> String {
    let pair =
        |entry: &Value| fields.map(|field| entry[field].as_str().unwrap_or("?")).join(between);
    let pairs: Vec<String> = self::list(list).iter().map(pair).collect();
    if pairs.is_empty() { "none".to_owned() } else { pairs.join(", ") }
}

/// Up to which step, from 1, an error can be avoided, and how.
fn avoid(error: &Value) -> String {
    let (word, step) = (error["avoidable"].as_str().unwrap_or("none"), &error["no_return"]);
    let Some(step) = step.as_u64() else { return word.to_owned() };
    let instead =
        ["process", "action", "then"].map(|it| error["instead"][it].as_str().unwrap_or(""));
    let [process, action, then] = instead;
    format!("{word} {} {process}:{action} {then}", step + 1)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn validator() -> jsonschema::Validator {
    let schema = include_str!("../../report/schema/report.schema.json");
    let schema: Value = serde_json::from_str(schema).expect("the schema is JSON");
    jsonschema::draft202012::new(&schema).expect("the schema is a schema")
}

/// A text with errors gives a report too, in the same form.
#[test]
fn reports_on_wrong_texts_fit_the_schema() {
    let validator = validator();
    let mut seen = 0;
    for entry in fs::read_dir(root().join("corpus/bad")).expect("the directory is there") {
        let name = entry.expect("the entry can be read").file_name();
        let model = format!("corpus/bad/{}", name.to_string_lossy());
        if !model.ends_with(".argos") {
            continue;
        }
        let report = run(&["check", "--json", &model]).json();
        let wrong: Vec<String> = validator
            .iter_errors(&report)
            .map(|it| format!("{}: {it}", it.instance_path()))
            .collect();
        assert!(wrong.is_empty(), "{model}: {wrong:#?}");
        seen += 1;
    }
    assert!(seen > 0);
}
