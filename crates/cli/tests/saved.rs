//! Saved runs of PROMELA models: `argos replay` and `argos sim --follow` end where the
//! search ended, by the rules it had.

use serde_json::Value;
use std::fs;
use std::path::Path;
use testkit::argos::{Run, run_in};

fn argos(arguments: &[&str]) -> Run {
    run_in(Path::new(env!("CARGO_TARGET_TMPDIR")), arguments)
}

/// Checks `text`, which is violated; then every error of the report is replayed, and the
/// run that is saved followed, saved again and replayed. Each ends with its message.
fn again(name: &str, text: &str, options: &[&str]) -> Value {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let [model, saved, report, copy] =
        ["pml", "run.json", "report.json", "copy.json"].map(|end| format!("saved_{name}.{end}"));
    fs::write(folder.join(&model), text).expect("the scratch directory is ours");
    let check = [&["check", &model, "--json", "--trace", &saved], options].concat();
    let found = argos(&check);
    assert_eq!(found.code, 1, "{name}: {}", found.complaints);
    fs::write(folder.join(&report), &found.text).expect("the scratch directory is ours");
    let told = found.json();
    let errors = told["errors"].as_array().expect("a list");
    for (index, error) in errors.iter().enumerate() {
        let number = (index + 1).to_string();
        ends(&["replay", &report, "--error", &number], error);
    }
    ends(&["replay", &saved], &errors[0]);
    ends(&["sim", &model, "--follow", &saved, "--trace", &copy], &errors[0]);
    ends(&["replay", &copy], &errors[0]);
    told
}

fn ends(command: &[&str], error: &Value) {
    let verdict: &[&str] = if command[0] == "replay" { &["--exit-verdict"] } else { &[] };
    let run = argos(&[command, verdict].concat());
    assert_eq!((run.code, run.complaints.as_str()), (1, ""), "{command:?}");
    let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let message = error["message"].as_str().expect("a message");
    assert!(line(&run.text).contains(&line(message)), "{command:?}: {message}\n{}", run.text);
}

#[test]
fn more_than_255_processes() {
    let text = "short n; proctype P(short k) {
        if :: k > 0 -> run P(k - 1) :: else -> assert(false) fi; n == 400 }
        init { run P(259) }";
    let report = again("processes", text, &[]);
    assert_eq!(report["errors"][0]["wide"], true);
    let walk = argos(&["sim", "saved_processes.pml", "--length", "2000"]);
    assert!(walk.text.contains("assertion fails: assert(false) in P:260"), "{}", walk.text);
}

#[test]
fn more_than_255_processes_from_the_start() {
    let text = "active [300] proctype P() { assert(_nr_pr != 300) }";
    again("active", text, &["--search", "dfs"]);
    let walk = argos(&["sim", "saved_active.pml", "--length", "3"]);
    assert!(walk.text.contains("assertion fails: assert(_nr_pr != 300)"), "{}", walk.text);
}

/// Behind an assertion that fails SPIN's verifier goes on, and so does the run.
#[test]
fn errors_that_are_passed_over() {
    let text = "byte x, n; active proctype P() { x = 1; assert(x == 2); x = 3; assert(x == 4);
        n == 1 }";
    for options in [&["--spin-counts"][..], &["--spin-counts", "--search", "dfs"]] {
        let report = again("passed", text, options);
        assert_eq!(report["errors"].as_array().map(Vec::len), Some(3));
    }
    let later = "byte x; active proctype P() { do :: x < 3 -> x++; assert(x < 3) od }
        active proctype Q() { x == 3; x == 0 }";
    again("later", later, &["--spin-counts"]);
}

/// SPIN's verifier dies of it; found by an ordinary search.
#[test]
fn errors_that_are_not_counted() {
    let text = "byte x; active proctype P() { x = 1; x = 1 / (x - 1) }
        active proctype Q() { x = 2 }";
    let report = again("uncounted", text, &["--spin-counts"]);
    assert_eq!(report["errors"][0]["ordinary"], true);
}

#[test]
fn claims() {
    let text = "byte x; active proctype P() { x = 1; x = 2 }
        never { do :: x == 2 -> break :: else od }";
    for options in
        [&["--all-errors"][..], &["--spin-counts"], &["--spin-counts", "--search", "dfs"]]
    {
        again("claim", text, options);
    }
}

/// A run keeps the rule by which calls can be taken.
#[test]
fn calls_as_steps_are_replayed_as_steps() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let text = "var ready; procedure wait { (ready == 1) } proc p { if :: wait() :: skip fi }";
    fs::write(folder.join("calls.argos"), text).expect("the scratch directory is ours");
    assert_eq!(argos(&["check", "calls.argos", "-q"]).code, 0);
    let found =
        argos(&["check", "calls.argos", "--json", "--calls", "step", "--trace", "calls.json"]);
    assert_eq!(found.code, 1, "{}", found.complaints);
    let error = &found.json()["errors"][0];
    ends(&["replay", "calls.json"], error);
    ends(&["sim", "calls.argos", "--follow", "calls.json"], error);
    assert_eq!(argos(&["backward", "calls.argos", "-q"]).code, 0);
    assert_eq!(argos(&["backward", "calls.argos", "-q", "--calls", "step"]).code, 1);
}
